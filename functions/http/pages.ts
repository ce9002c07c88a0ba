import { encodeCursor } from '../cursor.ts';
import type { ListPage } from '../list-page.ts';
import type { HttpRequest } from './request.ts';
import { type HttpResponse, json } from './response.ts';

/** The same request with another cursor, as an absolute URL. */
const withCursor = (request: HttpRequest, cursor: string): string => {
  const query = new URLSearchParams();
  for (const [name, values] of request.query) for (const value of values) query.append(name, value);
  query.set('cursor', cursor);
  return `${request.url}?${query}`;
};

/** A page of the named list as a JSON array; `Link` leads to the next one (RFC 8288). */
export const pageResponse = (request: HttpRequest, list: string, { items, next }: ListPage<unknown>): HttpResponse =>
  json(200, items, {
    ...(next !== undefined && { Link: `<${withCursor(request, encodeCursor(list, next))}>; rel="next"` }),
  });
