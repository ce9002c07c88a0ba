import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

/** A failure whose reason goes into logs, so it must hold no personal data, URL or secret. */
export class LoggableError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** The code of a Node error, such as `ECONNREFUSED`, else the error's name; never its message. */
export const errorName = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Error';
  const name = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^\w{1,64}$/.test(name) ? name : 'Error';
};

/** Makes a signal that aborts after some milliseconds. */
export type TimeoutAfter = (milliseconds: number) => AbortSignal;

/** Stops waiting when the signal aborts, even for work that ignores the signal. */
export const withDeadline = async <Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  return Promise.race([work(signal), over]);
};

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Call extends Omit<Post, 'body'> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly body?: string | Uint8Array;
}

/**
 * A new connection, because idle ones do not survive the pauses of a function. Each of the host's addresses gets 1.5 seconds: with
 * Node's quarter of a second, a far host is never reached if its last address is unreachable, as an IPv6 address is from Lambda.
 * https://github.com/nodejs/node/issues/54359
 */
const connection = { agent: false, autoSelectFamilyAttemptTimeout: 1_500 } as const;

/**
 * Calls a server over a new connection. Follows no redirect.
 * @returns the response: read its body, or destroy it
 */
export const send = async (
  { method, url, headers, body = '' }: Call,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  const { request: start } = url.startsWith('https:') ? https : http;
  const request = start(url, {
    ...connection,
    method,
    signal,
    headers: { 'Content-Length': Buffer.byteLength(body), ...headers },
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    // Closed without a response, for example after a switch of protocols.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
  request.end(body);
  return response;
};

export const post = (call: Post, signal: AbortSignal): Promise<IncomingMessage> =>
  send({ method: 'POST', ...call }, signal);
