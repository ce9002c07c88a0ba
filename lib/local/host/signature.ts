import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** The pair of keys with which the host's own clients sign. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What a signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** As sent: clients send it in the encoding that they sign. */
  readonly path: string;
  /** The parameters without the signature itself, decoded. */
  readonly query: Iterable<readonly [name: string, value: string]>;
  /** The signed headers with their values, by name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The SHA-256 of the body, or what stands for it. */
  readonly payloadHash: string;
}

/** What a signature holds for. */
export interface SignatureScope {
  /** As in 20260304. */
  readonly day: string;
  readonly region: string;
  readonly service: string;
  /** As in 20260304T191517Z. */
  readonly date: string;
}

/** What a client says of its signature. */
export interface Signature extends SignatureScope {
  readonly accessKeyId: string;
  readonly signature: string;
}

const sha256 = (text: string) => hash('sha256', text);
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Sorted by names, then values: what stands between the two sorts before all other signs. */
const canonicalQuery = (query: SignedRequest['query']): string =>
  Array.from(query, ([name, value]) => `${encode(name)}\0${encode(value)}`)
    .sort()
    .join('&')
    .replaceAll('\0', '=');

/**
 * Signs in version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * @returns a function that gives the signature in hexadecimal digits
 */
export const createSigner = ({ secretAccessKey }: Credentials) => {
  /** The key of the last scope: most signatures have the same. */
  let last: { readonly scope: string; readonly key: Buffer } = { scope: '', key: Buffer.alloc(0) };

  return (request: SignedRequest, { day, region, service, date }: SignatureScope): string => {
    const { method, path, query, headers, payloadHash } = request;
    const parts = [day, region, service, 'aws4_request'];
    const scope = parts.join('/');
    if (last.scope !== scope) last = { scope, key: parts.reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`)) };
    const names = headers.map(([name]) => name).join(';');
    const lines = headers.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}\n`).join('');
    const canonical = [method, path, canonicalQuery(query), lines, names, payloadHash].join('\n');
    return hmac(last.key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  };
};

/** @returns a function that tells whether a signature is from the credentials. It may have any age. */
export const createVerifier = (credentials: Credentials) => {
  const sign = createSigner(credentials);
  return (request: SignedRequest, given: Signature): boolean => {
    const signature = Buffer.from(given.signature);
    const expected = Buffer.from(sign(request, given));
    return (
      given.accessKeyId === credentials.accessKeyId &&
      given.date.startsWith(given.day) &&
      signature.length === expected.length &&
      timingSafeEqual(signature, expected)
    );
  };
};
