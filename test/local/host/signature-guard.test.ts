import { join } from 'node:path';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { beforeAll, expect, test } from 'vitest';
import type { StoreAddress } from '../../../lib/local/host/store/announcement.ts';
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

const listTables = async (changes: Headers = {}, others: Partial<StoreAddress> = {}): Promise<RequestOptions> => {
  const { endpoint, accessKeyId, secretAccessKey } = { ...store, ...others };
  const { hostname, host } = new URL(endpoint);
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey },
    region: 'eu-central-1',
    service: 'dynamodb',
    sha256: Hash.bind(null, 'sha256'),
  });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: 'http:',
    hostname,
    path: '/',
    headers: {
      host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'x-spaces': ' two  blanks ',
    },
    body: '{}',
  });
  return { method: 'POST', headers: Object.entries({ ...headers, ...changes }), body: '{}' };
};

test('the store responds to clients with its current credentials', async () => {
  const { status, text } = await send(store.endpoint, await listTables());
  expect(status).toBe(200);
  expect(JSON.parse(text).TableNames).toContain('named');
});

const page = 'https://www.example.com';

test.each<[string, () => RequestOptions | Promise<RequestOptions>]>([
  ['another credential', () => listTables({}, { accessKeyId: 'local' })],
  ['another secret', () => listTables({}, { secretAccessKey: 'local' })],
  ['another header than the signed one', () => listTables({ 'x-amz-target': 'DynamoDB_20120810.DescribeTable' })],
  ['no signature', () => listTables({ authorization: '' })],
  ['a malformed signature', () => listTables({ authorization: store.accessKeyId })],
  ['a web page', () => listTables({ Origin: page })],
  ['a web page with a null origin', () => listTables({ Origin: 'null' })],
  ["a web page's preflight", () => ({ method: 'OPTIONS', headers: [['Origin', page]] })],
  ['a web page that asks for its health', () => ({ headers: [['Origin', page]] })],
  ['a health check without the credentials', () => ({})],
])('the store refuses %s', async (_, options) => {
  const { status, headers, text } = await send(store.endpoint, await options());
  expect(status).toBe(403);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(text).toBe('{"__type":"com.amazon.coral.service#UnrecognizedClientException"}');
});

test.each(['attacker.example.net', 'localhost'])('the store refuses requests to the host name %s', async (name) => {
  const { port } = new URL(store.endpoint);
  const endpoint = `http://${name}:${port}`;
  const { status } = await send(store.endpoint, await listTables({}, { endpoint }));
  expect(status).toBe(403);
});
