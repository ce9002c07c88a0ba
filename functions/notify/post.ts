import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Failure, nameOf } from './failure.ts';
import type { TimeLimit } from './time-limit.ts';

/** For the answer's status to arrive, in seconds. */
const answerLimit = 10;

/** RFC 9110, section 10.2.3: seconds, however many, or a date. @returns seconds from now */
const parseRetryAfter = (value: string | undefined, now: Date): number => {
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value);
  const date = /^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, (date - now.getTime()) / 1000);
};

const answerTo = (request: ClientRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    // Without any answer, as after a switch of protocols.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });

export interface JsonPost {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/**
 * Posts JSON, each time over a connection of its own: one that is kept does not outlive the pauses of a function.
 * Of the answer only status and headers are read, and no redirect is followed.
 * @throws {Failure} when it is not taken
 */
export type Post = (post: JsonPost) => Promise<void>;

export const createPost =
  (limit: TimeLimit, now: () => Date): Post =>
  async ({ url, headers, body }) => {
    const signal = limit(answerLimit * 1000);
    const { request: start } = url.startsWith('https:') ? https : http;
    const request = start(url, {
      method: 'POST',
      agent: false,
      signal,
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
    });
    const answered = answerTo(request);
    request.end(body);
    const answer = await answered
      .catch((error) => {
        const reason = signal.aborted ? `no answer within ${answerLimit} seconds` : nameOf(error);
        throw new Failure(reason);
      })
      .finally(() => request.destroy());
    const { statusCode: status = 0 } = answer;
    if (status >= 200 && status < 300) return;
    throw new Failure(`HTTP ${status}${status >= 300 && status < 400 ? ': redirects are not followed' : ''}`, {
      retryAfter: parseRetryAfter(answer.headers['retry-after'], now()),
      // Gone: whoever answers so wants no more of it, by Standard Webhooks.
      isFinal: status === 410,
    });
  };
