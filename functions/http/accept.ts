import type { HttpRequest } from './request.ts';

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

/** Whether the client prefers this type to JSON. Some browsers name HTML, and accept all else with the same quality. */
export const prefers = ({ headers }: HttpRequest, mediaType: 'text/csv' | 'text/html'): boolean => {
  const accept = headers.get('accept');
  const difference = qualityOf(accept, mediaType) - qualityOf(accept, 'application/json');
  const named = acceptedRanges(accept);
  return difference > 0 || (difference === 0 && Boolean(named.get(mediaType)) && !named.has('application/json'));
};
