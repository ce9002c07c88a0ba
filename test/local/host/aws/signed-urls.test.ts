import { join } from 'node:path';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { beforeAll, expect, test } from 'vitest';
import { openBuckets } from '../../../../lib/local/host/aws/objects.ts';
import { createSignedUrls } from '../../../../lib/local/host/aws/signed-urls.ts';
import { createGatewayServer } from '../../../../lib/local/host/gateway/gateway-server.ts';
import { listen } from '../../../../lib/local/host/listen.ts';
import { send } from '../../../support/http.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createManualClock } from '../manual-clock.ts';

const credentials = { accessKeyId: 'credential', secretAccessKey: 'secret' };
const origin = 'https://api.example.com';
const path = '/local-files/a/b/0';
const content = Buffer.from([0, 0xff, 0x0a, 0x80]);
const disposition = `attachment; filename="a b.png"; filename*=UTF-8''%C3%A4.png`;

const clock = createManualClock();
let baseUrl: string;

beforeAll(async () => {
  const buckets = await openBuckets(join(temporaryFolder(), 'data'), ['local-files'], clock);
  const headers = { 'Content-Type': 'image/png', 'Content-Disposition': disposition };
  await buckets.get('local-files')?.put('a/b/0', headers, content);
  const signedUrls = createSignedUrls({ buckets, credentials, origin: () => origin, clock, log: () => {} });
  const respond = signedUrls(async () => ({ statusCode: 200, headers: [], body: 'the API' }));
  const { port, stop } = await listen(
    createGatewayServer(respond, new Map(), clock, () => {}),
    0,
  );
  baseUrl = `http://127.0.0.1:${port}`;
  return stop;
});

interface Signing {
  readonly method?: string;
  readonly path?: string;
  readonly query?: Record<string, string>;
  readonly secretAccessKey?: string;
  readonly expiresIn?: number;
}

/** A URL that the SDK has signed. */
const sign = async ({ method = 'GET', query = {}, expiresIn = 300, ...changes }: Signing = {}): Promise<URL> => {
  const signer = new SignatureV4({
    credentials: { ...credentials, sessionToken: 'local', ...changes },
    region: 'eu-central-1',
    service: 's3',
    sha256: Hash.bind(null, 'sha256'),
    uriEscapePath: false,
    applyChecksum: false,
  });
  const { hostname, host } = new URL(origin);
  const request = {
    method,
    protocol: 'https:',
    hostname,
    path: changes.path ?? path,
    query,
    headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
  };
  const signed = await signer.presign(request, { expiresIn, signingDate: new Date(clock.now()) });
  const url = new URL(signed.path, baseUrl);
  for (const [name, value] of Object.entries(signed.query ?? {})) url.searchParams.set(name, String(value));
  return url;
};

test('gives an object to whoever has a signed URL, as an attachment that no cache keeps', async () => {
  const { status, headers, text } = await send(String(await sign()));
  expect(status).toBe(200);
  expect(text).toBe(content.toString());
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': disposition,
    'content-length': String(content.length),
    'cache-control': 'no-store',
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  });
});

test('a URL for HEAD gives the headers', async () => {
  const { status, headers, text } = await send(String(await sign({ method: 'HEAD' })), { method: 'HEAD' });
  expect([status, headers['content-length'], text]).toEqual([200, '4', '']);
});

test('leaves other paths to the API', async () => {
  expect(await send(`${baseUrl}/local-files-2/a/b/0`)).toMatchObject({ status: 200, text: 'the API' });
});

const changed = async (name: string, value: string) => {
  const url = await sign();
  url.searchParams.set(name, value);
  return url;
};

test.each<[string, () => Promise<URL> | URL, status: number, code: string]>([
  ['no signature', () => new URL(path, baseUrl), 403, 'AccessDenied'],
  ['another secret', () => sign({ secretAccessKey: 'local' }), 403, 'SignatureDoesNotMatch'],
  [
    'another credential',
    () => changed('X-Amz-Credential', 'a/20260304/b/s3/aws4_request'),
    403,
    'SignatureDoesNotMatch',
  ],
  ['another service', () => changed('X-Amz-Credential', 'a/20260304/b/sqs/aws4_request'), 403, 'AccessDenied'],
  ['a later expiry', () => changed('X-Amz-Expires', '301'), 403, 'SignatureDoesNotMatch'],
  ['a later date', () => changed('X-Amz-Date', '20260304T191617Z'), 403, 'SignatureDoesNotMatch'],
  ['other signed headers', () => changed('X-Amz-SignedHeaders', 'host;x'), 403, 'AccessDenied'],
  ['a half signature', () => changed('X-Amz-Signature', 'ab'), 403, 'SignatureDoesNotMatch'],
  ['a parameter more', () => changed('response-content-disposition', 'inline'), 403, 'SignatureDoesNotMatch'],
  [
    'a signed parameter that is not served',
    () => sign({ query: { 'response-content-disposition': 'inline' } }),
    501,
    'NotImplemented',
  ],
  ['the longest expiry', () => sign({ expiresIn: 604_800 }), 200, ''],
  ['another object', async () => new URL(String(await sign()).replace('/b/0', '/b/1')), 403, 'SignatureDoesNotMatch'],
  [
    'another form of its path',
    async () => new URL(String(await sign()).replace('/b/0', '/b%2F0')),
    403,
    'SignatureDoesNotMatch',
  ],
  ['an object that is gone', () => sign({ path: '/local-files/a/b/1' }), 404, 'NoSuchKey'],
  ['a path that leads out', () => sign({ path: '/local-files/..%2F..%2Fstore.db' }), 404, 'NoSuchKey'],
  ['the bucket', () => sign({ path: '/local-files/' }), 400, 'InvalidArgument'],
])('responds as S3 does to %s', async (_, url, expected, code) => {
  const { status, text } = await send(String(await url()));
  expect([status, text.match(/<Code>(.*)<\/Code>/)?.[1] ?? '']).toEqual([expected, code]);
});

test.each(['PUT', 'POST', 'DELETE', 'OPTIONS'])('a signed URL is of no use for %s', async (method) => {
  expect((await send(String(await sign({ method })), { method })).status).toBe(405);
});

test('a URL that is signed for GET is of no use for HEAD', async () => {
  expect((await send(String(await sign()), { method: 'HEAD' })).status).toBe(403);
});

test('a URL is valid until it expires', async () => {
  const url = String(await sign());
  clock.advance(299_000);
  expect((await send(url)).status).toBe(200);
  clock.advance(1000);
  const { status, text } = await send(url);
  expect([status, text]).toEqual([403, expect.stringContaining('<Message>Request has expired</Message>')]);
  clock.advance(-3_600_000);
  expect((await send(url)).status).toBe(403);
});
