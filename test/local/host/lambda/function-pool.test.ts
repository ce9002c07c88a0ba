import { once } from 'node:events';
import { connect } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createGate } from '../gate.ts';
import { send } from '../http.ts';
import { type Served, serve } from '../test-host.ts';

/** Does what the query string says, and answers with what makes this execution environment differ from others. */
const source = `
const instance = crypto.randomUUID();
export const handler = async ({ queryStringParameters: { does, gate } }) => {
  console.log(does);
  if (does === 'wait' || does === 'leave') await fetch(gate);
  if (does === 'hang') await new Promise(() => {});
  if (does === 'throw') throw new Error('thrown on purpose');
  if (does === 'exit' || does === 'leave') process.exit(0);
  if (does === 'reject') Promise.reject(new Error('rejected on purpose'));
  if (does === 'reject') await new Promise(() => {});
  if (does === 'grow') for (const all = []; ; all.push(new Array(1e5).fill(0.5)));
  return { statusCode: 200, body: JSON.stringify({ instance, environment: process.env }) };
};`;

let served: Served;
let gate: Awaited<ReturnType<typeof createGate>>;

beforeAll(async () => {
  gate = await createGate();
  served = await serve((stack) => {
    const other = stack.function('Other', source);
    other.addEnvironment('SETTING', 'other');
    const patient = stack.function('Patient', source, { seconds: 60 });
    const some = stack.function('Some', source);
    some.addEnvironment('SETTING', 'some');
    stack.api({
      'GET /some': some,
      'GET /other': other,
      'GET /patient': patient,
      'GET /unexported': stack.function('Unexported', 'export const handle = () => {};'),
      'GET /unloadable': stack.function('Unloadable', 'throw new Error("cannot load");'),
    });
  });
  return async () => {
    await served.stop();
    await gate.close();
  };
});

const ask = async (does: string, path = '/some') => {
  const { status, text } = await send(`${served.baseUrl}${path}?does=${does}&gate=${encodeURIComponent(gate.url)}`);
  return { status, ...JSON.parse(text) };
};

const failed = { status: 502, message: 'Internal server error' };

test('a function sees its own variables and those of Lambda, and none of the host or of another function', async () => {
  const { environment } = await ask('nothing');
  expect(environment).toEqual({
    AWS_ACCESS_KEY_ID: served.store.accessKeyId,
    AWS_CONFIG_FILE: devNull,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_DYNAMODB: served.store.endpoint,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
    AWS_LAMBDA_FUNCTION_NAME: expect.stringMatching(/^Some/),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: expect.stringMatching(/^\/aws\/lambda\/Some/),
    AWS_LAMBDA_LOG_STREAM_NAME: expect.any(String),
    AWS_REGION: 'us-east-1',
    AWS_SECRET_ACCESS_KEY: expect.any(String),
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_SESSION_TOKEN: expect.any(String),
    LAMBDA_TASK_ROOT: expect.any(String),
    LANG: 'en_US.UTF-8',
    NODE_COMPILE_CACHE: join(served.dataDir, 'compile-cache'),
    SETTING: 'some',
    TZ: ':UTC',
    _HANDLER: 'index.handler',
  });
  expect((await ask('nothing', '/other')).environment.SETTING).toBe('other');
});

test('invocations of a function run side by side in one execution environment', async () => {
  const both = Promise.all([ask('wait'), ask('wait')]);
  await gate.reached(2);
  gate.open();
  const [one, two] = await both;
  expect(one).toEqual(two);
});

test('25 invocations of a function overlap, others wait for their turn', async () => {
  const all = Promise.all(Array.from({ length: 30 }, () => ask('wait')));
  await gate.reached(25);
  // Whatever was let in besides would have come by now.
  await ask('nothing', '/other');
  expect(gate.count()).toBe(25);
  gate.open();
  await gate.reached(5);
  gate.open();
  expect((await all).map(({ status }) => status)).toEqual(Array(30).fill(200));
});

test('an invocation that takes too long fails alone, and the next runs in a fresh environment', async () => {
  const before = await ask('nothing', '/other');
  const hanging = ask('hang', '/other');
  await served.logged('hang');
  served.clock.advance(1000);
  const waiting = ask('wait', '/other');
  await gate.reached();
  served.clock.advance(4000);
  expect(await hanging).toEqual(failed);
  expect((await ask('nothing', '/other')).instance).not.toBe(before.instance);
  gate.open();
  expect(await waiting).toEqual(before);
});

/** Leaves a retired environment with an invocation, begun a second before it timed out, and a fresh one beside it. */
const retire = async (does: 'wait' | 'leave') => {
  onTestFinished(gate.open);
  const late = ask('wait', '/other');
  await gate.reached();
  served.clock.advance(1000);
  const last = ask(does, '/other');
  await gate.reached(2);
  served.clock.advance(4000);
  expect(await late).toEqual(failed);
  return { last, fresh: await ask('nothing', '/other') };
};

test('what times out in a retired environment leaves the fresh one alone', async () => {
  const { last, fresh } = await retire('wait');
  served.clock.advance(1000);
  expect(await last).toEqual(failed);
  expect(await ask('nothing', '/other')).toEqual(fresh);
});

test('the end of a retired environment leaves the fresh one alone', async () => {
  const { last, fresh } = await retire('leave');
  gate.open();
  expect(await last).toEqual(failed);
  expect(await ask('nothing', '/other')).toEqual(fresh);
});

test('a function that may take longer than the gateway waits is an integration timeout', async () => {
  const hanging = ask('wait', '/patient');
  await gate.reached();
  served.clock.advance(Duration.seconds(29).toMilliseconds());
  expect(await hanging).toEqual({ status: 504, message: 'Endpoint request timed out' });
  gate.open();
});

test.each(['exit', 'reject', 'grow'])('a function that crashes (%s) fails, and starts again', async (does) => {
  const before = await ask('nothing');
  expect(await ask(does)).toEqual(failed);
  const after = await ask('nothing');
  expect(after.status).toBe(200);
  expect(after.instance).not.toBe(before.instance);
});

test('a handler that throws fails, and its environment goes on', async () => {
  const before = await ask('nothing');
  expect(await ask('throw')).toEqual(failed);
  expect(await ask('nothing')).toEqual(before);
  expect(await served.logged('thrown on purpose')).toMatch(/^Some\w+: /);
});

test('a module that does not load, or does not export its handler, fails', async () => {
  expect(await ask('nothing', '/unexported')).toEqual(failed);
  expect(await ask('nothing', '/unloadable')).toEqual(failed);
  expect(await served.logged('index.handler is undefined or not exported')).toMatch(/^Unexported\w+: /);
});

test('closing answers what is under way first', async () => {
  const { baseUrl, stop } = await serve((stack) => stack.api({ 'GET /': stack.function('Some', source) }));
  const waiting = send(`${baseUrl}/?does=wait&gate=${encodeURIComponent(gate.url)}`);
  await gate.reached();
  const stopped = stop();
  gate.open();
  expect((await waiting).status).toBe(200);
  await stopped;
  await expect(send(`${baseUrl}/`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('closing does not wait for a connection that asks nothing', async () => {
  const { baseUrl, stop } = await serve((stack) => stack.api({ 'GET /': stack.function('Some', source) }));
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // Answered after the connection was taken, so that this was too.
  await send(`${baseUrl}/nothing`);
  await stop();
  socket.destroy();
});
