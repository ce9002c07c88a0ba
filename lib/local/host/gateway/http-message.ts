/** A header. The name keeps the sender's case. */
export type Header = readonly [name: string, value: string];

/** A complete request. */
export interface HttpRequest {
  readonly id: string;
  readonly httpMethod: string;
  /** The path as sent, percent-encoded, without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** A complete response. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: readonly Header[];
  readonly body: string | Buffer;
}

/** A request and what the gateway sent back. */
export interface Exchange {
  readonly request: Omit<HttpRequest, 'query' | 'body'>;
  readonly response: HttpResponse;
  /** The gateway responded by itself: no method of the API has seen the request. */
  readonly isGatewayError: boolean;
  /** From the request's head to the response. */
  readonly milliseconds: number;
}

/** The values of each name, in the order in which the names first came. */
export const groupByName = (pairs: Iterable<readonly [string, string]>): Map<string, string[]> => {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value]);
  return groups;
};

/** A header's value, whatever the case of its name. Like API Gateway, takes the last of several. */
export const headerOf = (headers: readonly Header[], name: string): string | undefined =>
  headers.findLast(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1];

/** The media type of a `Content-Type` or of the first in an `Accept`, without parameters. */
export const mediaType = (value: string | undefined): string | undefined =>
  value?.split(/[;,]/)[0]?.trim().toLowerCase() || undefined;
