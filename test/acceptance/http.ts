import { setTimeout } from 'node:timers/promises';

/** What `fetch` takes as a body. */
export type Body = NonNullable<RequestInit['body']>;

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON, when it is some. */
  readonly body: unknown;
}

export const toAnswer = (status: number, headers: Headers, text: string): Answer => {
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '') && text !== '';
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
};

/** How often a request is sent again that was throttled, or that came while the store was away. */
const maxRetries: Readonly<Record<number, number>> = { 429: 30, 503: 3 };

let warned = false;

/** A service that is away is worth knowing of, once, even when it comes back. */
const warnOfAbsence = () => {
  if (!warned) console.warn('The service answered 503: asking again as late as it says.');
  warned = true;
};

/**
 * Calls again while the answer is 429 or 503, each time as late as its `Retry-After` says, and a bounded number of times.
 * @throws {Error} when such an answer does not say how long to wait
 */
export const untilAdmitted = async (attempt: () => Promise<Answer>): Promise<Answer> => {
  let answer = await attempt();
  for (let retries = 0; retries < (maxRetries[answer.status] ?? 0); retries += 1) {
    const retryAfter = answer.headers.get('retry-after') ?? '';
    if (!/^[0-9]+$/.test(retryAfter)) throw new Error(`A ${answer.status} came with Retry-After: "${retryAfter}"`);
    if (answer.status === 503) warnOfAbsence();
    // Spread, so that what was refused together does not come back together.
    await setTimeout(Number(retryAfter) * 1000 * (1 + Math.random()));
    answer = await attempt();
  }
  return answer;
};

/** Sends a request once. A redirect is an answer like any other. */
export const sendOnce = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(url, { redirect: 'manual', ...init });
  return toAnswer(response.status, response.headers, await response.text());
};

/** Sends a request, again while the service tells to come back later. */
export const sendTo = (url: string, init?: RequestInit): Promise<Answer> => untilAdmitted(() => sendOnce(url, init));

/** The query of the page that `Link` leads to (RFC 8288); nothing on the last page. */
export const nextQuery = ({ headers }: Answer): string | undefined => {
  const [, url] = /^<([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
  return url === undefined ? undefined : new URL(url).search;
};
