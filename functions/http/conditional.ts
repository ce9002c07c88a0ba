import { createHash } from 'node:crypto';
import type { HttpRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

/** A list of entity tags, in which elements may be empty (RFC 9110, sections 5.6.1.2 and 8.8.3). */
const entityTags = /^[\t ,]*(?:(?:W\/)?"[!#-~\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/**
 * The answer with an `ETag`, or 304 for who has it already, as `If-None-Match` says (RFC 9110, sections 13.1.2 and 15.4.5:
 * compared weakly; a malformed header counts for nothing).
 */
export const unlessKnown = (request: HttpRequest, answer: HttpResponse): HttpResponse => {
  // Of all that is answered: of a page, the `Link` may change alone.
  const tag = `"${createHash('sha256').update(JSON.stringify(answer)).digest('base64url')}"`;
  const headers: HttpResponse['headers'] = { ...answer.headers, ETag: tag };
  const known = request.headers.get('if-none-match') ?? '';
  if (known !== '*' && !(entityTags.test(known) && known.includes(tag))) return { ...answer, headers };
  const { 'Content-Type': _, ...others } = headers;
  return { statusCode: 304, headers: others, body: '' };
};
