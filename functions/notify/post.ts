import type { IncomingMessage } from 'node:http';
import { errorName, LoggableError, post, type TimeoutAfter } from '../shared/calls.ts';

/** Milliseconds for the status to arrive. */
const responseTimeout = 10_000;

export interface JsonPost {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts JSON. Reads only the status and where a redirect leads.
 * @throws {LoggableError} unless the receiver has accepted it
 */
export type PostJson = (post: JsonPost) => Promise<void>;

const hostOf = (url = ''): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);

/** @returns why the response does not mean that the receiver accepted */
type Judge = (response: IncomingMessage) => string | undefined;

const judgeStatus: Judge = ({ statusCode: status = 0 }) => {
  if (status >= 200 && status < 300) return undefined;
  return `HTTP ${status}${status >= 300 && status < 400 ? ': redirects are not followed' : ''}`;
};

/**
 * Google runs a web app's script first. Then it redirects to the text that the script returned; following that would only fetch
 * the text. If the script throws, Google responds with 200 and a page about the error; if callers must log in, it redirects
 * elsewhere.
 * https://developers.google.com/apps-script/guides/content#redirects
 */
const judgeAppsScript: Judge = ({ statusCode: status, headers: { location } }) => {
  if (status === 302 && hostOf(location) === 'script.googleusercontent.com') return undefined;
  if (status === 200) return 'HTTP 200: the Apps Script failed, or returned no text by ContentService';
  return `HTTP ${status}${status === 302 ? ': the Apps Script did not run, so anyone must have access to its web app' : ''}`;
};

/** Some firewalls refuse requests without one. */
const userAgent = 'contact-request-and-campaign-service';

/** @param send posts over the network */
export const createPost =
  (timeoutAfter: TimeoutAfter, send: typeof post = post): PostJson =>
  async ({ headers, ...message }) => {
    const signal = timeoutAfter(responseTimeout);
    const response = await send(
      { ...message, headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent, ...headers } },
      signal,
    ).catch((error) => {
      throw new LoggableError(
        signal.aborted ? `no response within ${responseTimeout / 1000} seconds` : errorName(error),
      );
    });
    response.destroy();
    const judge = hostOf(message.url) === 'script.google.com' ? judgeAppsScript : judgeStatus;
    const reason = judge(response);
    if (reason !== undefined) throw new LoggableError(reason);
  };
