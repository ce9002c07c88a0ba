import { MIMEType } from 'node:util';
import { HttpError } from './errors.ts';
import type { HttpRequest } from './request.ts';

/** Node's parser is quadratic in the number of blanks. A boundary has at most 70 characters (RFC 2046). */
const maxLength = 255;

/** Most types have no parameter, or this one. Node need not load its parser for them. */
const plain = /^(?<essence>[a-z]+\/[a-z-]+)(?: *; *charset=utf-8)?$/i;

/** The part of `MIMEType` that is used. */
export interface MediaType {
  readonly essence: string;
  readonly params: { get(name: string): string | null | undefined };
}

/**
 * The media type of the request's body.
 * @throws {HttpError} 415 if it is missing or malformed, and for a content coding or a charset other than UTF-8
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

/** The ranges of an `Accept` or `Accept-Language` header, in lower case, with their quality (RFC 9110, 12.4.2). */
export const acceptedRanges = (header = ''): Map<string, number> => {
  const ranges = new Map<string, number>();
  for (const range of header.toLowerCase().split(',')) {
    const name = range.replace(/;.*/, '').trim();
    const weight = /;\s*q=([^;]*)/.exec(range)?.[1];
    const quality = weight === undefined ? 1 : Number(weight);
    ranges.set(name, quality <= 1 ? Math.max(quality, 0) : 0);
  }
  return ranges;
};

/** The quality that an `Accept` header gives to a media type: its most specific range counts (RFC 9110, 12.5.1). */
const qualityOf = (accept: string | undefined, mediaType: string): number => {
  const ranges = acceptedRanges(accept);
  return ranges.get(mediaType) ?? ranges.get(`${mediaType.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0;
};

/** Whether the client prefers this type to JSON. */
export const prefers = ({ headers }: HttpRequest, mediaType: 'text/csv' | 'text/html'): boolean => {
  const accept = headers.get('accept');
  return qualityOf(accept, mediaType) > qualityOf(accept, 'application/json');
};

/** Whether a browser posts a plain `<form>`: it never sends JSON, and prefers a page. */
export const isPlainForm = (request: HttpRequest): boolean =>
  !/^application\/json *(;|$)/i.test(String(request.headers.get('content-type'))) && prefers(request, 'text/html');
