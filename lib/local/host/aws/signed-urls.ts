import type { Clock } from '../clock.ts';
import type { Respond } from '../gateway/gateway.ts';
import type { HttpRequest, HttpResponse } from '../gateway/http-message.ts';
import type { Log } from '../host-log.ts';
import { type Credentials, createVerifier, type Signature } from '../signature.ts';
import { findObject, getObject, orS3Error, S3Error } from './buckets.ts';
import type { Objects } from './objects.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
const parameters = {
  algorithm: 'X-Amz-Algorithm',
  credential: 'X-Amz-Credential',
  date: 'X-Amz-Date',
  expires: 'X-Amz-Expires',
  signature: 'X-Amz-Signature',
  signedHeaders: 'X-Amz-SignedHeaders',
} as const;

/** The parameters that belong to the signature, or name the SDK's operation. Others would change the response. */
const changesNothing = (name: string) => /^x-(amz-|id$)/i.test(name);

/** Seconds that a URL can be valid. */
const longestExpiry = 7 * 86_400;

/** A signature can be this much younger than the clock. */
const skew = 15 * 60_000;

const denied = (message = 'Access Denied') => new S3Error(403, 'AccessDenied', message);

const timeOf = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const signatureIn = (query: URLSearchParams): Signature => {
  const get = (name: keyof typeof parameters) => query.get(parameters[name]) ?? '';
  const [accessKeyId = '', day = '', region = '', service = '', end] = get('credential').split('/');
  if (get('algorithm') !== 'AWS4-HMAC-SHA256' || get('signedHeaders') !== 'host') throw denied();
  if (service !== 's3' || end !== 'aws4_request') throw denied();
  return { accessKeyId, day, region, service, date: get('date'), signature: get('signature') };
};

interface SignedUrlOptions {
  readonly buckets: ReadonlyMap<string, Objects>;
  readonly credentials: Credentials;
  /** The API's origin in the URLs. A proxy may send another host. */
  readonly origin: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a browser must do with an object: visitors have sent it. */
const safety = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', 'sandbox'],
] as const;

/** Gives objects to whoever has a URL with a signature of the functions, as S3 does: `/<bucket>/<key>?X-Amz-…`. */
export const createSignedUrls = ({ buckets, credentials, origin, clock, log }: SignedUrlOptions) => {
  const verify = createVerifier(credentials);

  const check = ({ httpMethod: method, path, query }: HttpRequest) => {
    if (method !== 'GET' && method !== 'HEAD') {
      throw new S3Error(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.');
    }
    const given = signatureIn(query);
    const signed = [...query].filter(([name]) => name !== parameters.signature);
    const headers = [['host', new URL(origin()).host] as const];
    if (!verify({ method, path, query: signed, headers, payloadHash: 'UNSIGNED-PAYLOAD' }, given)) {
      throw new S3Error(403, 'SignatureDoesNotMatch', 'The request signature does not match.');
    }
    const age = clock.now() - timeOf(given.date);
    const seconds = Number(query.get(parameters.expires));
    const isValid = seconds > 0 && seconds <= longestExpiry && age > -skew && age < seconds * 1000;
    if (!isValid) throw denied('Request has expired');
    const unknown = [...query.keys()].find((name) => !changesNothing(name));
    if (unknown !== undefined) throw new S3Error(501, 'NotImplemented', `The local host does not serve ${unknown}`);
  };

  const give = async (request: HttpRequest): Promise<HttpResponse> => {
    const { status, headers, body } = await orS3Error(async () => {
      check(request);
      const { objects, key } = findObject(buckets, request.path);
      const found = await getObject(objects, key);
      return { ...found, headers: { 'Content-Disposition': 'attachment', ...found.headers } };
    }, log);
    // The gateway writes the length itself.
    const given = Object.entries(headers ?? {}).filter(([name]) => name !== 'Content-Length');
    return {
      statusCode: status,
      headers: [...given, ...safety],
      body: Buffer.isBuffer(body) ? body : String(body),
    };
  };

  /** Takes the requests below the buckets' names, and leaves the others to the gateway. */
  return (respond: Respond): Respond =>
    async (request) =>
      buckets.has(request.path.split('/')[1] ?? '') ? give(request) : respond(request);
};
