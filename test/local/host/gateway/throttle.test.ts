import { expect, onTestFinished, test } from 'vitest';
import { send } from '../http.ts';
import { serve } from '../test-host.ts';

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
  const statuses = async (method: string, path: string, count: number) => {
    const answers = [];
    for (let sent = 0; sent < count; sent += 1) answers.push(await send(`${baseUrl}${path}`, { method }));
    return answers.map(({ status }) => status);
  };
  expect(await statuses('GET', '/things/1', 4)).toEqual([200, 200, 200, 429]);
  expect(await statuses('POST', '/things/1', 2)).toEqual([200, 429]);
  expect(await statuses('GET', '/', 2)).toEqual([200, 429]);
  clock.advance(500);
  expect(await statuses('GET', '/things/2', 2)).toEqual([200, 429]);
  expect(await statuses('POST', '/things/1', 1)).toEqual([429]);
  clock.advance(3_600_000);
  expect(await statuses('GET', '/things/1', 4)).toEqual([200, 200, 200, 429]);
});

test('the throttle goes before the authorizer, and what finds no method takes nothing from it', async () => {
  const { baseUrl, stop } = await serve((stack) =>
    stack.api(
      { 'GET /': stack.echo('Echo', '1') },
      { deployOptions: { throttlingRateLimit: 1, throttlingBurstLimit: 1 } },
    ),
  );
  onTestFinished(stop);
  await send(`${baseUrl}/nothing`);
  expect((await send(`${baseUrl}/`)).status).toBe(200);
  expect(await send(`${baseUrl}/`)).toMatchObject({ status: 429, text: '{"message":"Too Many Requests"}' });
});
