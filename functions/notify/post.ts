import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { DeliveryError, nameOf, type TimeLimit } from './deliver.ts';

/** Seconds for the status to arrive. */
const answerLimit = 10;

const answerTo = (request: ClientRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    // Closed without an answer, for example after a switch of protocols.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });

export interface JsonPost {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/**
 * Posts JSON over a new connection, because idle connections do not survive the pauses of a function. Reads only the status,
 * and follows no redirect.
 * @throws {DeliveryError} unless the status is 2xx
 */
export type Post = (post: JsonPost) => Promise<void>;

export const createPost =
  (limit: TimeLimit): Post =>
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
        throw new DeliveryError(reason);
      })
      .finally(() => request.destroy());
    const { statusCode: status = 0 } = answer;
    if (status >= 200 && status < 300) return;
    throw new DeliveryError(`HTTP ${status}${status >= 300 && status < 400 ? ': redirects are not followed' : ''}`);
  };
