import { MIMEType } from 'node:util';
import { HttpError } from './errors.ts';
import type { HttpRequest } from './request.ts';

/** Node's parser takes time that grows with the square of the blanks; a boundary has 70 characters at most (RFC 2046). */
const maxLength = 255;

/** Most types have no parameter, or this one: they need no parser, which Node would have to load. */
const plain = /^(?<essence>[a-z]+\/[a-z-]+)(?: *; *charset=utf-8)?$/i;

/** What is used of a `MIMEType`. */
export interface MediaType {
  readonly essence: string;
  readonly params: { get(name: string): string | null | undefined };
}

/**
 * The media type of the request's body.
 * @throws {HttpError} 415 when there is none, when it is no media type, and for a coding or charset but UTF-8
 */
export const mediaTypeOf = (request: HttpRequest): MediaType => {
  const contentType = request.headers.get('content-type');
  const coding = request.headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') throw new HttpError(415);
  if (contentType === undefined || contentType.length > maxLength) throw new HttpError(415);
  const essence = plain.exec(contentType)?.groups?.['essence'];
  if (essence !== undefined) return { essence: essence.toLowerCase(), params: new Map<string, string>() };
  let mediaType: MediaType;
  try {
    mediaType = new MIMEType(contentType);
  } catch {
    throw new HttpError(415);
  }
  if ((mediaType.params.get('charset') ?? 'utf-8').toLowerCase() !== 'utf-8') throw new HttpError(415);
  return mediaType;
};
