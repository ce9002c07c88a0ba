import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Checksum, SourceData } from '@smithy/types';
import { errorName, LoggableError, send, type TimeoutAfter } from '../shared/calls.ts';

const bytesOf = (data: SourceData): string | Uint8Array => {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

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

/** Where the function runs, as Lambda says: https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
export const regionOf = (): string => process.env['AWS_REGION'] ?? '';

export type Service = 'dynamodb' | 's3';

/** An endpoint that is set, as in tests and by `npm start`. */
export const endpointOf = (service: Service): string | undefined =>
  process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] ?? process.env['AWS_ENDPOINT_URL'];

/** Signs as the function: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
export const signerOf = (service: Service): SignatureV4 => {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = process.env;
  return new SignatureV4({
    service,
    region: regionOf(),
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
    },
    sha256: Sha256,
    // S3 has the path as it is, and the path of DynamoDB is a slash.
    uriEscapePath: false,
  });
};

export type Headers = Readonly<Record<string, string>>;

/** A request to sign. Its path and query need no escape. */
export const unsignedRequest = (method: string, url: URL, headers: Headers): HttpRequest =>
  new HttpRequest({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port !== '' && { port: Number(url.port) }),
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, ...headers },
  });

export interface AwsCall {
  readonly service: Service;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
  /** Of the body, if it is known. */
  readonly sha256?: string;
}

export interface CallLimits {
  /** Milliseconds for an attempt. */
  readonly attemptTimeout: number;
  readonly timeoutAfter: TimeoutAfter;
  /** Aborts when the function's time is over. */
  readonly signal: AbortSignal;
}

interface AwsResponse {
  readonly status: number;
  readonly text: string;
}

/** Characters: no response here has more. */
const maxTextLength = 16 * 1024;

const attemptOf = async (
  { service, method, url, headers = {}, body = '', sha256 }: AwsCall,
  now: Date,
  signal: AbortSignal,
): Promise<AwsResponse> => {
  const hash = sha256 ?? createHash('sha256').update(body).digest('hex');
  const request = unsignedRequest(method, url, { ...headers, 'x-amz-content-sha256': hash });
  const { headers: signed } = await signerOf(service).sign(request, { signingDate: now });
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const response = await send({ method, url: url.href, headers: { ...signed, ...length }, body }, signal);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > maxTextLength) throw new LoggableError('response too long');
  }
  return { status: response.statusCode ?? 500, text };
};

const maxAttempts = 3;

/** Milliseconds before another attempt. */
const pause = 100;

/** DynamoDB throttles with 400. */
const isBusy = ({ status, text }: AwsResponse): boolean =>
  status >= 500 || status === 429 || (status === 400 && /Throttl|ThroughputExceeded|RequestLimitExceeded/.test(text));

/**
 * Calls AWS without its SDK, of which this would be a second copy beside a function's bundle. Tries again if the service is
 * unreachable or busy.
 * @throws {LoggableError} if it stays so
 */
export const callAws = async (
  call: AwsCall,
  now: Date,
  { attemptTimeout, timeoutAfter, signal }: CallLimits,
): Promise<AwsResponse> => {
  let reason = 'no time';
  for (let attempt = 0; attempt < maxAttempts && !signal.aborted; attempt += 1) {
    if (attempt > 0) await setTimeout(pause);
    const limit = AbortSignal.any([signal, timeoutAfter(attemptTimeout)]);
    try {
      const response = await attemptOf(call, now, limit);
      if (!isBusy(response)) return response;
      reason = `HTTP ${response.status}`;
    } catch (error) {
      reason = limit.aborted ? 'no response' : errorName(error);
    }
  }
  throw new LoggableError(`${call.service}: ${reason}`);
};
