import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFunctionPool, type FunctionPool } from '../../../../lib/local/host/lambda/function-pool.ts';
import { serve, type TestServer } from '../../../support/server.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createManualClock } from '../manual-clock.ts';

/** Acts as the event says. The response identifies the execution environment. */
const source = `
const instance = globalThis.instance ??= crypto.randomUUID();
const atLoad = { ...process.env };
export const handler = async ({ does, gate }) => {
  console.log(does);
  if (does === 'wait') await fetch(gate);
  if (does === 'hang') await new Promise(() => {});
  if (does === 'throw') throw new Error('thrown on purpose');
  if (does === 'exit') process.exit(0);
  if (does === 'reject') Promise.reject(new Error('rejected on purpose'));
  if (does === 'reject') await new Promise(() => {});
  return { instance, environment: process.env, atLoad };
};`;

const clock = createManualClock();
let pool: FunctionPool;
/** A server at which a handler waits until the test lets it go on. */
let gate: TestServer;
const waiting: ServerResponse[] = [];
let logged: (text: string) => Promise<string>;

beforeAll(async () => {
  gate = await serve((_, response) => void waiting.push(response));
  const folder = temporaryFolder();
  const define = (name: string, source: string) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.mjs'), source);
    const common = { name, arn: name, folder: join(folder, name) };
    return { ...common, variables: { SETTING: name }, timeoutSeconds: 5, memoryMegabytes: 128 };
  };
  const definitions = [
    define('some', source),
    define('other', source),
    { ...define('one of two', source), variables: { SETTING: 'one of two', OPTIONAL: 'of one' } },
    define('two of two', source),
    define('unexported', 'export const handle = () => {};'),
  ];
  const lines: string[] = [];
  pool = createFunctionPool(
    definitions,
    { EXTRA: 'of all' },
    clock,
    (name, line) => lines.push(`${name}: ${line}`),
    ({ name }) => (name.endsWith('of two') ? 'shared' : name),
  );
  logged = async (text) => {
    await expect.poll(() => lines.some((line) => line.includes(text))).toBe(true);
    return lines.find((line) => line.includes(text)) ?? '';
  };
  return async () => {
    await pool.close();
    await gate[Symbol.asyncDispose]();
  };
});

const reached = async (count: number) => {
  await expect.poll(() => waiting.length).toBe(count);
};

const openGate = () => {
  for (const response of waiting.splice(0)) response.end();
};

const variables = v.record(v.string(), v.string());
const responseSchema = v.object({ instance: v.string(), environment: variables, atLoad: variables });

const ask = async (does: string, name = 'some') => {
  const result = await pool.invoke(name, { does, gate: gate.url });
  return result.ok ? v.parse(responseSchema, result.payload) : result.errorMessage;
};

const instanceOf = async (name: string) => v.parse(responseSchema, await ask('nothing', name)).instance;

test('gives a function its own variables and those of Lambda, and none of this process', async () => {
  const { environment } = v.parse(responseSchema, await ask('nothing'));
  expect(environment).toMatchObject({ EXTRA: 'of all', SETTING: 'some', AWS_EXECUTION_ENV: expect.any(String) });
  expect(environment).not.toHaveProperty('PATH');
});

test('loads two functions into one thread, each with its own variables', async () => {
  const [one, two] = v.parse(
    v.tuple([responseSchema, responseSchema]),
    await Promise.all([ask('nothing', 'one of two'), ask('nothing', 'two of two')]),
  );
  expect(two.instance).toBe(one.instance);
  expect(one.atLoad).toMatchObject({ EXTRA: 'of all', SETTING: 'one of two', OPTIONAL: 'of one' });
  expect(two.atLoad).toMatchObject({ EXTRA: 'of all', SETTING: 'two of two' });
  expect(two.atLoad).not.toHaveProperty('OPTIONAL');
});

test('runs 8 invocations at once in one environment; others wait', async () => {
  const all = Promise.all(Array.from({ length: 13 }, () => ask('wait')));
  await reached(8);
  // The ninth would have come by now.
  await ask('nothing', 'other');
  expect(waiting.length).toBe(8);
  openGate();
  await reached(5);
  openGate();
  const responses = v.parse(v.array(responseSchema), await all);
  expect(new Set(responses.map(({ instance }) => instance)).size).toBe(1);
});

test('ends the environment of an invocation that times out, and runs the next one in a new environment', async () => {
  const before = await instanceOf('other');
  const hanging = ask('hang', 'other');
  await logged('hang');
  clock.advance(4999);
  const besides = ask('wait', 'other');
  await reached(1);
  onTestFinished(openGate);
  clock.advance(1);
  const after = instanceOf('other');
  expect(await Promise.all([hanging, besides])).toEqual(['Runtime exited', 'Runtime exited']);
  expect(await after).not.toBe(before);
  expect(await logged('timed out')).toMatch(/ Task timed out after 5\.00 seconds$/);
});

test.each(['exit', 'reject'])('restarts a function that crashes: %s', async (does) => {
  const before = await instanceOf('some');
  expect(await ask(does)).toBe('Runtime exited');
  expect(await instanceOf('some')).not.toBe(before);
});

test('keeps the environment of a handler that throws', async () => {
  const before = await instanceOf('some');
  expect(await ask('throw')).toBe('thrown on purpose');
  expect(await instanceOf('some')).toBe(before);
  expect(await logged('thrown on purpose')).toMatch(/^some: /);
});

test('fails if the module does not export its handler', async () => {
  expect(await ask('nothing', 'unexported')).toBe('Runtime exited');
  expect(await logged('index.handler is undefined or not exported')).toMatch(/^unexported: /);
});
