import { errorName, LoggableError, post, type TimeLimit } from '../shared/calls.ts';

/** Seconds for the status to arrive. */
const answerLimit = 10;

export interface JsonPost {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/**
 * Posts JSON. Reads only the status.
 * @throws {LoggableError} unless the status is 2xx
 */
export type PostJson = (post: JsonPost) => Promise<void>;

export const createPost =
  (limit: TimeLimit): PostJson =>
  async ({ headers, ...message }) => {
    const signal = limit(answerLimit * 1000);
    const answer = await post(
      { ...message, headers: { 'Content-Type': 'application/json', ...headers } },
      signal,
    ).catch((error) => {
      throw new LoggableError(signal.aborted ? `no answer within ${answerLimit} seconds` : errorName(error));
    });
    answer.destroy();
    const { statusCode: status = 0 } = answer;
    if (status >= 200 && status < 300) return;
    throw new LoggableError(`HTTP ${status}${status >= 300 && status < 400 ? ': redirects are not followed' : ''}`);
  };
