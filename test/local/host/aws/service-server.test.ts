import { GetAccountCommand, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { beforeAll, expect, test } from 'vitest';
import { findAnnouncedStore } from '../../../../lib/local/host/store/announcement.ts';
import { type RequestOptions, send } from '../http.ts';
import { type Served, serve } from '../test-host.ts';
import { addIdentity, connect, optionsFor } from './test-services.ts';

let served: Served;
let services: { readonly endpoint: string; readonly accessKeyId: string };

beforeAll(async () => {
  served = await serve((stack) => {
    addIdentity(stack);
    stack.api({ 'GET /': stack.echo('Echo', 'process.env') });
  });
  const { endpoint, credentials } = await optionsFor(served.dataDir);
  services = { endpoint, accessKeyId: credentials.accessKeyId };
  return served.stop;
});

const call = (
  { headers = {}, accessKeyId = services.accessKeyId, service = 'secretsmanager', body = '{}' } = {} as {
    headers?: Readonly<Record<string, string>>;
    accessKeyId?: string;
    service?: string;
    body?: string;
  },
): RequestOptions => ({
  method: 'POST',
  headers: Object.entries({
    Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20000101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=any`,
    'X-Amz-Target': 'secretsmanager.GetSecretValue',
    ...headers,
  }),
  body,
});

test('a function finds the services by the variables that the SDK reads, with the credential of the store', async () => {
  const { text } = await send(served.baseUrl);
  const { endpoint } = services;
  expect(JSON.parse(text)).toMatchObject({
    AWS_ACCESS_KEY_ID: services.accessKeyId,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
    AWS_ENDPOINT_URL_SESV2: endpoint,
    AWS_ENDPOINT_URL_SQS: endpoint,
  });
  expect(services.accessKeyId).toBe(served.store.accessKeyId);
});

test.each<[string, () => RequestOptions]>([
  ['another credential', () => call({ accessKeyId: 'local' })],
  ['no credential', () => call({ headers: { Authorization: '' } })],
  ['a web page', () => call({ headers: { Origin: 'https://www.example.com' } })],
  ["a web page's preflight", () => ({ method: 'OPTIONS', headers: [['Origin', 'https://www.example.com']] })],
  ['who has a name lead here', () => call({ headers: { Host: `localhost:${new URL(services.endpoint).port}` } })],
  ['a browser that is led here', () => ({})],
])('the services answer nothing to %s', async (_, options) => {
  const { status, headers, text } = await send(services.endpoint, options());
  expect(status).toBe(403);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(text).toBe('{"__type":"com.amazon.coral.service#UnrecognizedClientException"}');
});

test('a service that is not served says so', async () => {
  const { status, text } = await send(services.endpoint, call({ service: 's3' }));
  expect(status).toBe(400);
  expect(JSON.parse(text)).toEqual({
    __type: 'UnknownOperationException',
    message: 'The local host does not serve the service "s3"',
  });
});

test('an operation, or a form of one, that is not served says so, to the SDK too', async () => {
  const { ses } = await connect(served.dataDir);
  await expect(ses.send(new GetAccountCommand())).rejects.toMatchObject({
    name: 'UnknownOperationException',
    message: 'The local host does not serve GET /v2/email/account',
  });
  await expect(ses.send(new SendEmailCommand({ Content: { Raw: { Data: new Uint8Array() } } }))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    message: 'The local host does not serve this form of SendEmail',
  });
});

test('what is no JSON is refused', async () => {
  const { status, text } = await send(services.endpoint, call({ body: '{' }));
  expect([status, JSON.parse(text).__type]).toEqual([400, 'SerializationException']);
});

test('a stack without any of it has no port open for it', async () => {
  const bare = await serve((stack) => stack.api({ 'GET /': stack.echo('Echo', 'Object.keys(process.env)') }));
  expect(await findAnnouncedStore(bare.dataDir)).not.toHaveProperty('services');
  const { text } = await send(bare.baseUrl);
  expect(JSON.parse(text).filter((name: string) => name.startsWith('AWS_ENDPOINT_URL'))).toEqual([
    'AWS_ENDPOINT_URL_DYNAMODB',
  ]);
  await bare.stop();
});
