import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { partition } from '@aws-sdk/core/client';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Checksum, SourceData } from '@smithy/types';

/** Node's SHA-256 as the signer needs it. */
export class Sha256 implements Checksum {
  readonly #hash: Hash | Hmac;

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('The signer never starts anew.');
  }
}

const bytesOf = (data: SourceData): string | Uint8Array => {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** What Lambda sets: https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const settings = () => {
  const {
    AWS_REGION: region = '',
    AWS_ACCESS_KEY_ID = '',
    AWS_SECRET_ACCESS_KEY = '',
    AWS_SESSION_TOKEN,
  } = process.env;
  return {
    region,
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
    },
  };
};

const signer = () => new SignatureV4({ ...settings(), service: 's3', sha256: Sha256, uriEscapePath: false });

/** An endpoint that is set, as in tests and by `npm start`, has the bucket in its path; otherwise it follows from the region. */
const endpoint = (): string | undefined => process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];

/** Where clients reach an endpoint that only functions reach as above. */
const publicEndpoint = (): string | undefined => process.env['PUBLIC_ENDPOINT_URL_S3'] ?? endpoint();

/** An object: its bucket, and its key, of characters that need no escape. */
export interface ObjectId {
  readonly bucket: string;
  readonly key: string;
}

type Method = 'GET' | 'PUT';

const requestOf = (
  method: Method,
  { bucket, key }: ObjectId,
  {
    base = endpoint(),
    query = {},
    headers,
  }: { base?: string | undefined; query?: Record<string, string>; headers: Record<string, string> },
): HttpRequest => {
  const { region } = settings();
  const { protocol, host, hostname, port, pathname } = new URL(
    base === undefined ? `https://${bucket}.s3.${region}.${partition(region).dnsSuffix}` : `${base}/${bucket}`,
  );
  return new HttpRequest({
    method,
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: `${pathname === '/' ? '' : pathname}/${key}`,
    query,
    headers: { host, ...headers },
  });
};

/** Its path and query hold only characters that stand for themselves, or are escaped. */
const urlOf = ({ protocol, headers, path, query }: HttpRequest): string => {
  const parameters = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value ?? ''))}`,
  );
  return `${protocol}//${headers['host']}${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
};

const unsigned = 'UNSIGNED-PAYLOAD';

/** A call of S3 with its signature: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export const signedCall = async <const Name extends Method>(
  method: Name,
  object: ObjectId,
  now: Date,
  {
    query = {},
    headers = {},
    sha256 = unsigned,
  }: {
    readonly query?: Record<string, string>;
    readonly headers?: Record<string, string>;
    readonly sha256?: string;
  } = {},
) => {
  const request = requestOf(method, object, { query, headers: { ...headers, 'x-amz-content-sha256': sha256 } });
  const signed = await signer().sign(request, { signingDate: now });
  return { method, url: urlOf(request), headers: signed.headers };
};

/** A URL by which anyone can get an object: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
export const signedUrl = async (object: ObjectId, now: Date, expiresIn: number): Promise<string> => {
  const request = requestOf('GET', object, { base: publicEndpoint(), headers: { 'x-amz-content-sha256': unsigned } });
  const signed = await signer().presign(request, { signingDate: now, expiresIn });
  return urlOf(new HttpRequest(signed));
};
