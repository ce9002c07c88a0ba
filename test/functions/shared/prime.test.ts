import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import timers from 'node:timers';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { campaignsTable } from '../../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { tokensTable } from '../../../functions/tokens/token.ts';
import { apiHandlers } from '../../../lib/infrastructure/endpoints.ts';
import { callerOf } from '../../support/call.ts';
import { minimal } from '../../support/contacts.ts';
import { logText } from '../../support/log.ts';
import { serve } from '../../support/server.ts';
import { client, createTable } from '../../support/tables.ts';

const primed = v.object({ primed: v.promise() });

/** Starts a function. @returns what tells that it is primed */
const start = async (handler: string): Promise<unknown> => {
  vi.resetModules();
  const file = join(import.meta.dirname, '..', '..', '..', 'functions', `${handler}.ts`);
  const module = v.parse(primed, await import(file));
  // As an object: a promise would be waited for here.
  return { whenPrimed: module.primed };
};

const whenPrimed = v.object({ whenPrimed: v.promise() });

const startAndPrime = async (handler: string) => v.parse(whenPrimed, await start(handler)).whenPrimed;

const real = { setTimeout: timers.setTimeout, clearTimeout: timers.clearTimeout };

/** However long the machine takes: a start waits until the test moves the clock. */
const stopClock = () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // middy has its timer from there, which Vitest leaves as it is.
  Object.assign(timers, { setTimeout, clearTimeout });
  syncBuiltinESMExports();
};

const onLambda = () => vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand');

beforeEach(onLambda);
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  Object.assign(timers, real);
  syncBuiltinESMExports();
  // What was loaded asks a store that is gone.
  vi.resetModules();
});

/** What each asks of the store, and nothing else. */
const asked: Readonly<Record<string, string>> = {
  'create-contact': 'PutItem',
  'list-contacts': 'Query',
  'get-contact': 'GetItem',
  'delete-contact': 'GetItem',
  'list-campaigns': 'Query',
  'get-campaign': 'GetItem',
  authorizer: 'GetItem',
};

it.each(apiHandlers)('%s asks the store once as it starts, and says nothing', async (handler) => {
  const targets: unknown[] = [];
  await using store = await serve((request, response) => {
    targets.push(request.headers['x-amz-target']);
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.url);
  stopClock();
  await startAndPrime(handler);
  expect(targets).toEqual([`DynamoDB_20120810.${asked[handler]}`]);
  expect(logText()).toBe('');
});

it('changes nothing', async () => {
  const tables = [contactsTable, campaignsTable, tokensTable];
  for (const table of tables) vi.stubEnv(table.variable, await createTable(table));
  stopClock();
  for (const handler of apiHandlers) await startAndPrime(handler);
  for (const { variable } of tables) {
    expect(await client.send(new ScanCommand({ TableName: process.env[variable] }))).toMatchObject({ Count: 0 });
  }
});

it.each(apiHandlers)('%s asks nothing where it is not on Lambda', async (handler) => {
  vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', undefined);
  const requests = vi.fn();
  await using store = await serve((_, response) => {
    requests();
    response.end('{}');
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.url);
  await startAndPrime(handler);
  expect(requests).not.toHaveBeenCalled();
});

it.each(apiHandlers)('%s starts where the store refuses connections', async (handler) => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:9');
  await startAndPrime(handler);
  expect(logText()).toBe('');
});

it.each(apiHandlers)('%s does not wait for a store that says nothing', async (handler) => {
  const connected = Promise.withResolvers<void>();
  const store = createServer(() => connected.resolve()).listen(0, '127.0.0.1');
  await vi.waitFor(() => expect(store.listening).toBe(true));
  const { port } = v.parse(v.object({ port: v.number() }), store.address());
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${port}`);
  stopClock();
  const { whenPrimed: ready } = v.parse(whenPrimed, await start(handler));
  await connected.promise;
  await vi.advanceTimersByTimeAsync(250);
  await ready;
  expect(logText()).toBe('');
  store.close();
});

it('counts nobody, also when the store answers after its time', async () => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let requests = 0;
  await using store = await serve((_, response) => {
    response.setHeader('Content-Type', 'application/x-amz-json-1.0');
    requests += 1;
    if (requests > 1) {
      response.end('{}');
      return;
    }
    asked.resolve();
    void answered.promise.then(() => {
      response.statusCode = 400;
      response.end('{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"}');
    });
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.url);
  vi.stubEnv('COUNTS_RECEIVED', 'true');
  stopClock();
  const { whenPrimed: ready } = v.parse(whenPrimed, await start('create-contact'));
  await asked.promise;
  await vi.advanceTimersByTimeAsync(250);
  await ready;
  answered.resolve();
  const { handler } = await import('../../../functions/create-contact.ts');
  await callerOf(
    'POST /api/v1/contact',
    handler,
  )({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(minimal),
  });
  expect(logText().match(/"Name":"ContactsReceived"/g)).toHaveLength(1);
});

it('speaks again when it is primed', async () => {
  await using store = await serve((_, response) => {
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.url);
  await startAndPrime('get-campaign');
  const { log } = await import('../../../functions/shared/log.ts');
  log('info', 'request');
  expect(logText()).toContain('"request"');
});
