import dns from 'node:dns';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contactStore } from '../../../functions/contacts/contact-store.ts';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { createDocumentClient } from '../../../functions/shared/dynamodb.ts';
import { createAuthorizer } from '../../../functions/tokens/authorizer.ts';
import { generateToken } from '../../../functions/tokens/token.ts';
import { tokenStore } from '../../../functions/tokens/token-store.ts';
import type { Call } from '../../support/call.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { idIn, idsIn, minimal, siteOrigin, startContacts } from '../../support/contacts.ts';
import { lambdaContext } from '../../support/event.ts';
import { type AwsResponse, awsError, startFakeAws } from '../../support/fake-aws.ts';
import { logLines, logText } from '../../support/log.ts';
import { startRelay } from '../../support/relay.ts';
import { client, createTable } from '../../support/tables.ts';

const now = () => new Date('2026-03-01T12:00:00.000Z');
const id = '00000000-0000-4000-8000-000000000000';

const contactsOn = (client: DynamoDBDocumentClient, table = 'table') =>
  startContacts(now, { countsReceived: true }, { client, table });

const campaignsOn = (client: DynamoDBDocumentClient) => startCampaigns({ client, table: 'table' });

const posted = { headers: { 'Content-Type': 'application/json', Origin: siteOrigin }, body: JSON.stringify(minimal) };

const endpoints: [route: string, callOn: (client: DynamoDBDocumentClient) => Promise<Call>, Parameters<Call>[0]][] = [
  ['POST /api/v1/contact', async (client) => (await contactsOn(client)).create, posted],
  ['GET /api/v1/contact', async (client) => (await contactsOn(client)).list, {}],
  ['GET /api/v1/contact/{id}', async (client) => (await contactsOn(client)).get, { pathParameters: { id } }],
  ['DELETE /api/v1/contact/{id}', async (client) => (await contactsOn(client)).delete, { pathParameters: { id } }],
  [
    'PATCH /api/v1/contact/{id}',
    async (client) => (await contactsOn(client)).update,
    { pathParameters: { id }, body: '{"answered":true}' },
  ],
  ['GET /v1/campaigns', async (client) => (await campaignsOn(client)).list, {}],
  ['GET /v1/campaigns/{id}', async (client) => (await campaignsOn(client)).get, { pathParameters: { id } }],
];

const get = async (client: DynamoDBDocumentClient, remaining?: number) =>
  (await contactsOn(client)).get({ pathParameters: { id } }, remaining);

/** A client that reads DynamoDB's address from the environment, as in a function. */
const clientOf = (url: string): DynamoDBDocumentClient => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', url);
  return createDocumentClient();
};

const unavailable = { status: 503, text: '{"error":"Service Unavailable"}', headers: { 'Retry-After': '5' } };

// The SDK waits for a random part of a growing delay between attempts. Tests skip it.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const temporary: [what: string, behaviour: AwsResponse][] = [
  ['throttles', awsError(400, 'ThrottlingException')],
  ['throttles with a suffix in its error type', awsError(400, 'ThrottlingException:http://internal.example/')],
  ['has no throughput left', awsError(400, 'ProvisionedThroughputExceededException')],
  ['limits requests', awsError(400, 'RequestLimitExceeded')],
  ['fails', awsError(500, 'InternalServerError')],
  ['is unavailable', { status: 503, body: 'Service Unavailable' }],
  ['is unavailable and sends no body', { status: 503, body: '' }],
  ['hangs up', 'hang up'],
];

const permanent: [what: string, behaviour: AwsResponse][] = [
  ['denies access', awsError(400, 'AccessDeniedException')],
  ['lacks the table', awsError(400, 'ResourceNotFoundException')],
  ['rejects the request', awsError(400, 'ValidationException')],
  ['names no error', { status: 400, body: '{"message":null}' }],
  ['responds with something else', { status: 200, body: '<html>secret</html>' }],
];

describe.each(endpoints)('%s', (route, callOn, parts) => {
  const ask = async (client: DynamoDBDocumentClient, remaining?: number) => (await callOn(client))(parts, remaining);

  it('responds with 503 after three attempts when the store throttles', async () => {
    await using dynamoDb = await startFakeAws(awsError(400, 'ThrottlingException'));
    expect(await ask(clientOf(dynamoDb.url))).toMatchObject(unavailable);
    expect(dynamoDb.calls.length).toBe(3);
    expect(logText()).not.toContain('secret');
  });

  it('responds with 503 before its own timeout when the store does not respond', async () => {
    await using dynamoDb = await startFakeAws('say nothing');
    expect(await ask(clientOf(dynamoDb.url), 501)).toMatchObject(unavailable);
    expect(logLines()).toContainEqual(expect.objectContaining({ route, status: 503 }));
  });
});

it.each(temporary)('responds with 503 after three attempts when the store %s', async (_, behaviour) => {
  await using dynamoDb = await startFakeAws(behaviour);
  expect(await get(clientOf(dynamoDb.url))).toMatchObject(unavailable);
  expect(dynamoDb.calls.length).toBe(3);
});

it("responds with 503 when nothing listens at the store's address", async () => {
  const dynamoDb = await startFakeAws('hang up');
  await dynamoDb[Symbol.asyncDispose]();
  expect(await get(clientOf(dynamoDb.url))).toMatchObject(unavailable);
});

it.each(permanent)('responds with 500 when the store %s', async (_, behaviour) => {
  await using dynamoDb = await startFakeAws(behaviour);
  const response = await get(clientOf(dynamoDb.url));
  expect(response).toMatchObject({ status: 500, text: '{"error":"Internal Server Error"}' });
  expect(response.headers).not.toHaveProperty('Retry-After');
  expect(logText()).not.toContain('secret');
});

it.each([
  ['503', 503, 'hang up'],
  ['500', 500, awsError(400, 'AccessDeniedException')],
] as const)('lets pages of the site read the error %s', async (_, status, behaviour) => {
  await using dynamoDb = await startFakeAws(behaviour);
  const response = await (await contactsOn(clientOf(dynamoDb.url))).create(posted);
  expect(response.status).toBe(status);
  expect(response.headers).toMatchObject({ 'Access-Control-Allow-Origin': siteOrigin, Vary: 'Origin' });
});

it.each(['say nothing', 'stop in the response'] as const)(
  'responds with 503 after three attempts when the store may %s',
  async (behaviour) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using dynamoDb = await startFakeAws(behaviour);
    const response = get(clientOf(dynamoDb.url), 60_000);
    while (dynamoDb.calls.length < 3) await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await response).toMatchObject(unavailable);
    expect(dynamoDb.calls.length).toBe(3);
  },
);

it.each([
  ['eu-central-1', 'dynamodb.eu-central-1.amazonaws.com'],
  ['us-gov-west-1', 'dynamodb.us-gov-west-1.amazonaws.com'],
  ['cn-north-1', 'dynamodb.cn-north-1.amazonaws.com.cn'],
  ['us-iso-east-1', 'dynamodb.us-iso-east-1.c2s.ic.gov'],
])('asks the endpoint of the region %s: %s', async (region, host) => {
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ENDPOINT_URL', undefined);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined);
  const lookup = vi.spyOn(dns, 'lookup').mockReturnValue();
  expect(await get(createDocumentClient(), 501)).toMatchObject(unavailable);
  expect(lookup.mock.calls.map(([asked]) => asked)).toStrictEqual([host]);
});

/** Loses the response to the first request for an operation. */
const loseFirst = (operation: string) => {
  let attempts = 0;
  return (asked: string) => asked === operation && ++attempts === 1;
};

/** The contact endpoints, and the same over a network that loses responses of the store. */
const startBadNetwork = async (losesResponse: (operation: string) => boolean) => {
  const table = await createTable(contactsTable);
  const relay = await startRelay({ losesResponse });
  return {
    table,
    good: await contactsOn(client, table),
    bad: await contactsOn(clientOf(relay.url), table),
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
};

describe('a delete over a bad network', () => {
  it.each([
    ['204 for an existing contact request', true, 204],
    ['404 for a missing one', false, 404],
  ])('responds with %s if the first response of the store is lost', async (_, exists, status) => {
    await using network = await startBadNetwork(loseFirst('DeleteItem'));
    const deleted = exists ? idIn(await network.good.post(minimal)) : id;
    expect((await network.bad.delete({ pathParameters: { id: deleted } })).status).toBe(status);
    expect(idsIn(await network.good.list())).toStrictEqual([]);
  });

  it('responds with 503 if every response of the store is lost', async () => {
    await using network = await startBadNetwork((operation) => operation === 'DeleteItem');
    const pathParameters = { id: idIn(await network.good.post(minimal)) };
    expect(await network.bad.delete({ pathParameters })).toMatchObject(unavailable);
  });
});

describe('a change over a bad network', () => {
  it.each<[body: string, shown: object]>([
    ['{"answered":true}', { answeredAt: now().toISOString() }],
    ['{"spam":true}', { spamReason: 'staff' }],
  ])('responds to %s as if nothing happened if the first response of the store is lost', async (body, shown) => {
    await using network = await startBadNetwork(loseFirst('UpdateItem'));
    const pathParameters = { id: idIn(await network.good.post(minimal)) };
    expect(await network.bad.update({ pathParameters, body })).toMatchObject({ status: 200, body: shown });
  });
});

describe('a create over a bad network', () => {
  it.each([{ 'Idempotency-Key': 'key' }, {}])(
    'is stored once and is no replay if the first response of the store is lost, with %o',
    async (headers) => {
      await using network = await startBadNetwork(loseFirst('PutItem'));
      const response = await network.bad.post(minimal, headers);
      expect(response.status).toBe(201);
      expect(network.bad.counts).toStrictEqual([['ContactsReceived', { value: 1 }]]);
      expect(response.headers).not.toHaveProperty('Idempotent-Replayed');
      expect(idsIn(await network.good.list())).toStrictEqual([idIn(response)]);
    },
  );

  it('is a replay of an earlier create, even if a response is lost', async () => {
    await using network = await startBadNetwork(loseFirst('PutItem'));
    const createdAt = new Date(now().getTime() - 1);
    await contactStore(client, network.table).create({
      fields: minimal,
      spam: false,
      createdAt,
      storageKey: 'key',
    });
    const response = await network.bad.post(minimal, { 'Idempotency-Key': 'key' });
    expect(response).toMatchObject({ status: 201, headers: { 'Idempotent-Replayed': 'true' } });
  });
});

describe('the authorizer', () => {
  const ask = (client: DynamoDBDocumentClient) =>
    createAuthorizer({ store: tokenStore(client, 'table'), grants: [], count: () => {}, now })(
      {
        authorizationToken: generateToken(),
        methodArn: 'arn:aws:execute-api:eu-central-1:1:api/test/GET/v1/campaigns',
      },
      lambdaContext(),
    );

  it.each([awsError(400, 'ThrottlingException'), awsError(400, 'AccessDeniedException')])(
    'fails with another error than Unauthorized when the store responds with %j',
    async (behaviour) => {
      await using dynamoDb = await startFakeAws(behaviour);
      await expect(ask(clientOf(dynamoDb.url))).rejects.toThrow(/^(?!Unauthorized$)/);
      expect(logLines()).toMatchObject([{ level: 'error', message: 'authorizer failed', error: expect.any(String) }]);
      expect(logText()).not.toContain('secret');
    },
  );
});
