import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type RequestOptions, send } from '../../support/http.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openStack, writeTables } from './test-tables.ts';

let store: Awaited<ReturnType<typeof openStack>>;

beforeAll(async () => {
  const folder = temporaryFolder();
  store = await openStack(join(folder, 'data'), writeTables({}, folder));
  return async () => {
    await store.close();
  };
});

type Headers = Record<string, string>;

const listTables = (headers: Headers, accessKeyId = store.accessKeyId): RequestOptions => ({
  method: 'POST',
  headers: Object.entries({
    Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20000101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=any`,
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Date': '20000101T000000Z',
    'X-Amz-Target': 'DynamoDB_20120810.ListTables',
    ...headers,
  }),
  body: '{}',
});

test('the store responds to clients with its current credential', async () => {
  const { status, text } = await send(store.endpoint, listTables({}));
  expect(status).toBe(200);
  expect(JSON.parse(text).TableNames).toContain('named');
});

const page = 'https://www.example.com';

test.each<[string, () => RequestOptions]>([
  ['another credential', () => listTables({}, 'local')],
  ['the beginning of the credential', () => listTables({}, store.accessKeyId.slice(0, -1))],
  ['no credential', () => listTables({ Authorization: '' })],
  ['a malformed signature', () => listTables({ Authorization: store.accessKeyId })],
  ['a web page', () => listTables({ Origin: page })],
  ['a web page with a null origin', () => listTables({ Origin: 'null' })],
  ["a web page's preflight", () => ({ method: 'OPTIONS', headers: [['Origin', page]] })],
  ['a web page that asks for its health', () => ({ headers: [['Origin', page]] })],
  ['a health check without the credential', () => ({})],
])('the store refuses %s', async (_, options) => {
  const { status, headers, text } = await send(store.endpoint, options());
  expect(status).toBe(403);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(text).toBe('{"__type":"com.amazon.coral.service#UnrecognizedClientException"}');
});

test.each(['attacker.example.net', 'localhost'])('the store refuses requests to the host name %s', async (name) => {
  const { port } = new URL(store.endpoint);
  const { headers = [], ...options } = listTables({});
  const { status } = await send(store.endpoint, { ...options, headers: [...headers, ['Host', `${name}:${port}`]] });
  expect(status).toBe(403);
});
