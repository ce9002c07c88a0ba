import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import type { Log } from '../host-log.ts';
import { KeyError, type ObjectSummary, type Objects } from './objects.ts';
import type { ServiceResponse } from './service-call.ts';

/** A request of S3's REST API. */
export interface S3Request {
  readonly method: string;
  /** The path, percent-encoded: the bucket's name, then the key. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An error of S3: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const escapeXml = (text: string) => text.replaceAll(/[&<>"'\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const unescapeXml = (text: string) => {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal === undefined ? (named[name] ?? whole) : String.fromCodePoint(Number(decimal));
  });
};

type Xml = readonly (readonly [name: string, content: string | number | boolean | Xml])[];

const toXml = (elements: Xml): string =>
  elements
    .map(([name, content]) => {
      const inner = typeof content === 'object' ? toXml(content) : escapeXml(String(content));
      return `<${name}>${inner}</${name}>`;
    })
    .join('');

const xml = (status: number, ...elements: Xml): ServiceResponse => ({
  status,
  headers: { 'Content-Type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(elements)}`,
});

const empty = (status: number, headers: ServiceResponse['headers'] = {}): ServiceResponse => ({
  status,
  headers,
  body: '',
});

export const toS3ErrorResponse = ({ status, code, message }: S3Error): ServiceResponse =>
  xml(status, [
    'Error',
    [
      ['Code', code],
      ['Message', message],
    ],
  ]);

const noSuchKey = () => new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');

/** S3 tells whole seconds. */
const wholeSeconds = (time: number) => new Date(Math.floor(time / 1000) * 1000);

const quoted = (etag: string) => `"${etag}"`;

/** The headers of an object in a response. */
const headersOf = ({ headers, etag, time, size }: ObjectSummary) => ({
  'Content-Type': 'binary/octet-stream',
  ...headers,
  ETag: quoted(etag),
  'Last-Modified': wholeSeconds(time).toUTCString(),
  'Content-Length': String(size),
});

/** @throws {S3Error} if there is no such object */
export const getObject = async (objects: Objects, key: string): Promise<ServiceResponse> => {
  const found = await objects.get(key);
  if (!found) throw noSuchKey();
  return { status: 200, headers: headersOf(found), body: found.content };
};

const findSummary = async (objects: Objects, key: string): Promise<ObjectSummary> => {
  const found = await objects.find(key);
  if (!found) throw noSuchKey();
  return found;
};

const keptHeaders = ['Cache-Control', 'Content-Disposition', 'Content-Encoding', 'Content-Language', 'Content-Type'];

const digests: Readonly<Record<string, (body: Buffer) => string>> = {
  'content-md5': (body) => createHash('md5').update(body).digest('base64'),
  'x-amz-checksum-crc32': (body) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(body));
    return bytes.toString('base64');
  },
  'x-amz-checksum-sha256': (body) => createHash('sha256').update(body).digest('base64'),
};

/** Compares the body with what its sender says of it. */
const checkBody = ({ headers, body }: S3Request): void => {
  for (const [name, digest] of Object.entries(digests)) {
    if (headers[name] === undefined || headers[name] === digest(body)) continue;
    throw new S3Error(400, 'BadDigest', `The ${name} you specified did not match what we received.`);
  }
  const hash = headers['x-amz-content-sha256'];
  if (hash === undefined || hash === 'UNSIGNED-PAYLOAD') return;
  if (String(hash).startsWith('STREAMING-')) throw notServed('chunked uploads');
  if (hash === createHash('sha256').update(body).digest('hex')) return;
  throw new S3Error(400, 'XAmzContentSHA256Mismatch', "The provided 'x-amz-content-sha256' header does not match.");
};

const notServed = (what: string) => new S3Error(501, 'NotImplemented', `The local host does not serve ${what}`);

type Operation = (objects: Objects, request: S3Request, key: string, bucket: string) => Promise<ServiceResponse>;

const maxKeys = 1000;

const listObjects: Operation = async (objects, { query }, _, bucket) => {
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const limit = Math.min(Number(query.get('max-keys') ?? maxKeys), maxKeys);
  // One more tells whether there are others.
  const found = await objects.list(prefix, after, limit + 1);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return xml(200, [
    'ListBucketResult',
    [
      ['Name', bucket],
      ['Prefix', prefix],
      ['MaxKeys', limit],
      ['KeyCount', page.length],
      ['IsTruncated', last !== undefined],
      ...(last ? [['NextContinuationToken', Buffer.from(last.key).toString('base64url')] as const] : []),
      ...page.map(
        ({ key, time, etag, size }) =>
          [
            'Contents',
            [
              ['Key', key],
              ['LastModified', wholeSeconds(time).toISOString()],
              ['ETag', quoted(etag)],
              ['Size', size],
              ['StorageClass', 'STANDARD'],
            ],
          ] as const,
      ),
    ],
  ]);
};

const deleteObjects: Operation = async (objects, request) => {
  checkBody(request);
  const text = request.body.toString();
  const keys = Array.from(text.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key = '']) => unescapeXml(key));
  await objects.remove(keys);
  const isQuiet = /<Quiet>true<\/Quiet>/.test(text);
  return xml(200, ['DeleteResult', isQuiet ? [] : keys.map((key) => ['Deleted', [['Key', key]]] as const)]);
};

const putObject: Operation = async (objects, request, key) => {
  checkBody(request);
  const { headers, body } = request;
  const kept = keptHeaders.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[name, String(value)]];
  });
  const { etag } = await objects.put(key, Object.fromEntries(kept), body);
  return empty(200, { ETag: quoted(etag) });
};

const headObject: Operation = async (objects, _, key) => empty(200, headersOf(await findSummary(objects, key)));

const deleteObject: Operation = async (objects, _, key) => {
  await objects.remove([key]);
  return empty(204);
};

const getTags: Operation = async (objects, _, key) => {
  await findSummary(objects, key);
  return xml(200, ['Tagging', [['TagSet', []]]]);
};

/** The operations, by method, place and parameters: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html */
const operations: readonly (readonly [name: string, parameters: readonly string[], operation: Operation])[] = [
  ['HEAD bucket', [], async () => empty(200)],
  ['GET bucket', ['list-type', 'prefix', 'continuation-token', 'start-after', 'max-keys'], listObjects],
  ['POST bucket', ['delete'], deleteObjects],
  ['PUT key', [], putObject],
  ['GET key', [], (objects, _, key) => getObject(objects, key)],
  ['HEAD key', [], headObject],
  ['GET key', ['tagging'], getTags],
  ['DELETE key', [], deleteObject],
];

/** The SDK names its operation besides. */
const meaningless = 'x-id';

/** Finds the operation that has the parameters of a request, the first of them for sure. */
const findOperation = (method: string, place: string, query: URLSearchParams): Operation => {
  const given = [...query.keys()].filter((name) => name !== meaningless);
  const found = operations.find(
    ([name, [first, ...others]]) =>
      name === `${method} ${place}` &&
      (first === undefined || given.includes(first)) &&
      given.every((each) => each === first || others.includes(each)),
  );
  if (!found) throw notServed([method, 'of a', place, ...given].join(' '));
  return found[2];
};

/** Splits a path. @throws {S3Error} if it has no bucket that is served */
export const findObject = (buckets: ReadonlyMap<string, Objects>, path: string) => {
  const [, bucket = '', ...encoded] = path.split('/');
  const objects = buckets.get(bucket);
  if (!objects) throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
  try {
    return { bucket, objects, key: decodeURIComponent(encoded.join('/')) };
  } catch {
    throw new S3Error(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
};

/** Responds with S3's form of an error. */
export const orS3Error = async (act: () => Promise<ServiceResponse>, log: Log): Promise<ServiceResponse> => {
  try {
    return await act();
  } catch (error) {
    if (error instanceof S3Error) return toS3ErrorResponse(error);
    if (error instanceof KeyError) return toS3ErrorResponse(new S3Error(400, 'InvalidArgument', error.message));
    log('files', error instanceof Error ? error.message : String(error));
    return toS3ErrorResponse(new S3Error(500, 'InternalError', 'We encountered an internal error.'));
  }
};

export type S3 = (request: S3Request) => Promise<ServiceResponse>;

/** Amazon S3 with buckets in folders, in path style, as far as the functions and the staff command use it. */
export const createS3 =
  (buckets: ReadonlyMap<string, Objects>, log: Log): S3 =>
  (request) =>
    orS3Error(async () => {
      const { bucket, objects, key } = findObject(buckets, request.path);
      const operation = findOperation(request.method, key === '' ? 'bucket' : 'key', request.query);
      return operation(objects, request, key, bucket);
    }, log);
