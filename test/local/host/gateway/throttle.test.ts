import { expect, onTestFinished, test } from 'vitest';
import { send } from '../http.ts';
import { serve, type TestStack } from '../test-host.ts';

/** The statuses of so many requests, one after another. */
const statusesOf = async (count: number, url: string, method = 'GET') => {
  const answers = [];
  for (let sent = 0; sent < count; sent += 1) answers.push(await send(url, { method }));
  return answers.map(({ status }) => status);
};

const throttled = (throttlingRateLimit: number, throttlingBurstLimit: number) => (stack: TestStack) =>
  stack.api({ 'GET /': stack.echo('Echo', '1') }, { deployOptions: { throttlingRateLimit, throttlingBurstLimit } });

test('each method has a bucket of its own, which fills again with time', async () => {
  const { baseUrl, clock, stop } = await serve((stack) => {
    const echo = stack.echo('Echo', '1');
    stack.api(
      { 'GET /things/{id}': echo, 'POST /things/{id}': echo, 'GET /': echo },
      {
        deployOptions: {
          throttlingRateLimit: 1,
          throttlingBurstLimit: 1,
          methodOptions: { '/things/{id}/GET': { throttlingRateLimit: 2, throttlingBurstLimit: 3 } },
        },
      },
    );
  });
  onTestFinished(stop);
  const statuses = (method: string, path: string, count: number) => statusesOf(count, `${baseUrl}${path}`, method);
  expect(await statuses('GET', '/things/1', 4)).toEqual([200, 200, 200, 429]);
  expect(await statuses('POST', '/things/1', 2)).toEqual([200, 429]);
  expect(await statuses('GET', '/', 2)).toEqual([200, 429]);
  clock.advance(500);
  expect(await statuses('GET', '/things/2', 2)).toEqual([200, 429]);
  expect(await statuses('POST', '/things/1', 1)).toEqual([429]);
  clock.advance(3_600_000);
  expect(await statuses('GET', '/things/1', 4)).toEqual([200, 200, 200, 429]);
});

test('a refusal takes nothing from the bucket: who asks on and on is not shut out', async () => {
  const { baseUrl, clock, stop } = await serve(throttled(1, 2));
  onTestFinished(stop);
  expect(await statusesOf(3, baseUrl)).toEqual([200, 200, 429]);
  clock.advance(600);
  expect(await statusesOf(2, baseUrl)).toEqual([429, 429]);
  clock.advance(400);
  expect(await statusesOf(2, baseUrl)).toEqual([200, 429]);
});

test('a clock that is set back takes nothing from the bucket', async () => {
  const { baseUrl, clock, stop } = await serve(throttled(1, 2));
  onTestFinished(stop);
  expect(await statusesOf(1, baseUrl)).toEqual([200]);
  clock.advance(-3_600_000);
  expect(await statusesOf(2, baseUrl)).toEqual([200, 429]);
  clock.advance(1000);
  expect(await statusesOf(1, baseUrl)).toEqual([200]);
});

test('the throttle goes before the authorizer, and what finds no method takes nothing from it', async () => {
  const { baseUrl, stop } = await serve(throttled(1, 1));
  onTestFinished(stop);
  await send(`${baseUrl}/nothing`);
  expect((await send(`${baseUrl}/`)).status).toBe(200);
  expect(await send(`${baseUrl}/`)).toMatchObject({ status: 429, text: '{"message":"Too Many Requests"}' });
});
