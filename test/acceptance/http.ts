import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';

export type Body = NonNullable<RequestInit['body']>;

/** A complete response. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON, if the type is JSON. */
  readonly body: unknown;
}

export const toResponse = (status: number, headers: Headers, text: string): ApiResponse => {
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '') && text !== '';
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
};

/** How often a throttled request, or one during an outage of the store, is sent again. */
const maxRetries: Readonly<Record<number, number>> = { 429: 30, 503: 3 };

let warned = false;

/** A service that was unavailable for a moment is worth one warning. */
const warnOfAbsence = () => {
  if (!warned) console.warn('The service responded with 503: retrying after its Retry-After.');
  warned = true;
};

/**
 * Retries while the response is 429 or 503, after its `Retry-After`, a bounded number of times.
 * @throws {Error} if such a response has no `Retry-After`
 */
export const untilAdmitted = async (attempt: () => Promise<ApiResponse>): Promise<ApiResponse> => {
  let response = await attempt();
  for (let retries = 0; retries < (maxRetries[response.status] ?? 0); retries += 1) {
    const retryAfter = response.headers.get('retry-after') ?? '';
    if (!/^[0-9]+$/.test(retryAfter)) throw new Error(`A ${response.status} came with Retry-After: "${retryAfter}"`);
    if (response.status === 503) warnOfAbsence();
    // The random part spreads requests that were refused together.
    await setTimeout(Number(retryAfter) * 1000 * (1 + Math.random()));
    response = await attempt();
  }
  return response;
};

const headersOf = ({ headersDistinct }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

/**
 * Sends a request once, and follows no redirect. Not by `fetch`, which says `Sec-Fetch-Mode: cors`, as a script: so no test could
 * send what a browser sends of a plain form.
 */
export const sendOnce = async (url: string, init: RequestInit = {}): Promise<ApiResponse> => {
  const sent = new Request(url, init);
  const body = await sent.bytes();
  const { request } = url.startsWith('https:') ? https : http;
  const outgoing = request(url, {
    method: sent.method,
    headers: Object.fromEntries(sent.headers),
    signal: sent.signal,
  });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (!incoming) throw new Error('No response');
  const text = Buffer.concat(await incoming.toArray()).toString();
  return toResponse(incoming.statusCode ?? 0, headersOf(incoming), text);
};

/** Sends a request, and retries as the service asks. */
export const sendTo = (url: string, init?: RequestInit): Promise<ApiResponse> =>
  untilAdmitted(() => sendOnce(url, init));

/** The query of the next page, from `Link` (RFC 8288); undefined on the last page. */
export const nextQuery = ({ headers }: ApiResponse): string | undefined => {
  const [, url] = /^<([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
  return url === undefined ? undefined : new URL(url).search;
};
