import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { campaignsTable } from '../../../functions/campaigns/campaign.ts';
import { contactStore } from '../../../functions/contacts/contact-store.ts';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { primingClient } from '../../../functions/shared/prime.ts';
import { tokensTable } from '../../../functions/tokens/token.ts';
import { apiHandlers, endpoints } from '../../../lib/infrastructure/endpoints.ts';
import { callerOf } from '../../support/call.ts';
import { minimal } from '../../support/contacts.ts';
import { logText } from '../../support/log.ts';
import { serve } from '../../support/server.ts';
import { client, createTable } from '../../support/tables.ts';

const primed = v.object({ primed: v.promise() });

/** Starts a function, and waits until it is primed. */
const startAndPrime = async (handler: string): Promise<void> => {
  vi.resetModules();
  const file = join(import.meta.dirname, '..', '..', '..', 'functions', `${handler}.ts`);
  await v.parse(primed, await import(file)).primed;
};

const onLambda = () => vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand');

beforeEach(onLambda);
afterEach(() => {
  vi.unstubAllEnvs();
  // The loaded modules would ask a store that is gone.
  vi.resetModules();
});

/** The first request of each function to the store. */
const asked = new Map([
  ...endpoints.map(({ handler, actions }) => [handler, actions[0]] as const),
  ['authorizer', 'GetItem'] as const,
]);

it.each([
  ...apiHandlers.map((handler) => [handler, {}] as const),
  ['create-contact', { REQUIRED: '["first pet"]' }] as const,
])('%s asks the store once at its start, and logs nothing, with the variables %o', async (handler, variables) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  let targets: unknown[] = [];
  await using store = await serve((request, response) => {
    targets.push(request.headers['x-amz-target']);
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.url);
  // A slow machine may need longer than the function waits: then it starts again.
  const start = async () => {
    targets = [];
    await startAndPrime(handler);
    return targets;
  };
  await expect.poll(start).toEqual([`DynamoDB_20120810.${asked.get(handler)}`]);
  expect(logText()).toBe('');
});

it('writes nothing into the tables', async () => {
  const tables = [contactsTable, campaignsTable, tokensTable];
  for (const table of tables) vi.stubEnv(table.variable, await createTable(table));
  for (const handler of apiHandlers) await startAndPrime(handler);
  for (const { variable } of tables) {
    expect(await client.send(new ScanCommand({ TableName: process.env[variable] }))).toMatchObject({ Count: 0 });
  }
});

it('a client for priming writes nothing, and takes that for a success; the client that it came from still writes', async () => {
  const table = await createTable(contactsTable);
  const count = async () => (await client.send(new ScanCommand({ TableName: table }))).Count;
  const contact = { fields: minimal, spam: false, createdAt: new Date('2026-03-01T12:00:00.000Z') } as const;
  expect(await contactStore(primingClient(client), table).create(contact)).toMatchObject({ outcome: 'created' });
  expect(await count()).toBe(0);
  await contactStore(client, table).create(contact);
  expect(await count()).toBe(1);
});

it('asks nothing outside of Lambda', async () => {
  vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', undefined);
  const requests = vi.fn();
  await using store = await serve((_, response) => {
    requests();
    response.end('{}');
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.url);
  for (const handler of apiHandlers) await startAndPrime(handler);
  expect(requests).not.toHaveBeenCalled();
});

it('starts if the store does not respond', async () => {
  await using store = await serve(() => {});
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.url);
  await startAndPrime('get-contact');
  expect(logText()).toBe('');
});

it('neither counts nor logs a contact request, even if the store responds late', async () => {
  const storeResponds = Promise.withResolvers<void>();
  let requests = 0;
  await using store = await serve((_, response) => {
    response.setHeader('Content-Type', 'application/x-amz-json-1.0');
    requests += 1;
    if (requests > 1) {
      response.end('{}');
      return;
    }
    void storeResponds.promise.then(() => {
      response.statusCode = 400;
      response.end('{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"}');
    });
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', store.url);
  vi.stubEnv('COUNTS_RECEIVED', 'true');
  vi.stubEnv('SPAM', JSON.stringify({ traps: [], requireTrap: false, proofBits: 17 }));
  while (requests === 0) await startAndPrime('create-contact');
  storeResponds.resolve();
  const { handler } = await import('../../../functions/create-contact.ts');
  await callerOf(
    'POST /api/v1/contact',
    handler,
  )({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(minimal),
  });
  // Those of the second request alone.
  expect(logText().match(/"Name":"ContactsReceived"/g)).toHaveLength(1);
  expect(logText().match(/marked as spam/g)).toHaveLength(1);
});
