import { MIMEType } from 'node:util';
import { HttpError } from './errors.ts';
import type { HttpRequest } from './request.ts';

/** Node's parser takes time that grows with the square of the blanks; a boundary has 70 characters at most (RFC 2046). */
const maxLength = 255;

/**
 * The media type of the request's body.
 * @throws {HttpError} 415 when there is none, when it is no media type, and for a coding or charset but UTF-8
 */
export const mediaTypeOf = (request: HttpRequest): MIMEType => {
  const contentType = request.headers.get('content-type');
  const coding = request.headers.get('content-encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') throw new HttpError(415);
  if (contentType === undefined || contentType.length > maxLength) throw new HttpError(415);
  let mediaType: MIMEType;
  try {
    mediaType = new MIMEType(contentType);
  } catch {
    throw new HttpError(415);
  }
  if ((mediaType.params.get('charset') ?? 'utf-8').toLowerCase() !== 'utf-8') throw new HttpError(415);
  return mediaType;
};
