import { encodeCursor } from '../cursor.ts';
import type { HttpRequest } from './request.ts';

/** The same request with another cursor, as an absolute URL. */
const withCursor = (request: HttpRequest, cursor: string): string => {
  const query = new URLSearchParams();
  for (const [name, values] of request.query) for (const value of values) query.append(name, value);
  query.set('cursor', cursor);
  return `${request.url}?${query}`;
};

/**
 * The header that leads to the next page of the named list (RFC 8288), if there is one.
 * @param next the sort key that this page ended with
 */
export const linkHeader = (request: HttpRequest, list: string, next: string | undefined): Record<string, string> =>
  next === undefined ? {} : { Link: `<${withCursor(request, encodeCursor(list, next))}>; rel="next"` };
