import { encodeCursor } from '../cursor.ts';
import type { HttpRequest } from './request.ts';

/** The same request with other parameters, as an absolute URL. */
const withParameters = (request: HttpRequest, parameters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams();
  for (const [name, values] of request.query) for (const value of values) query.append(name, value);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return `${request.url}?${query}`;
};

/**
 * The header that leads to the next page of the named list (RFC 8288), if there is one.
 * @param next the sort key that this page ended with
 * @param more parameters that the next page has otherwise than this one
 */
export const linkHeader = (
  request: HttpRequest,
  list: string,
  next: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> =>
  next === undefined
    ? {}
    : { Link: `<${withParameters(request, { ...more, cursor: encodeCursor(list, next) })}>; rel="next"` };
