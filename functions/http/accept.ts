import type { HttpRequest } from './request.ts';

/** The ranges of an `Accept` or `Accept-Language` header, in lower case, with their quality (RFC 9110, 12.4.2). */
export const qualities = (header: string): Map<string, number> => {
  const ranges = new Map<string, number>();
  for (const range of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    ranges.set(name, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return ranges;
};

/** The quality that an `Accept` header gives to a media type: its most specific range counts (RFC 9110, 12.5.1). */
const qualityOf = (accept: string, mediaType: string): number => {
  const ranges = qualities(accept);
  return ranges.get(mediaType) ?? ranges.get(`${mediaType.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0;
};

/** Whether the caller would rather have this than JSON. A browser that posts a plain form prefers `text/html`. */
export const prefers = ({ headers }: HttpRequest, mediaType: 'text/csv' | 'text/html'): boolean => {
  const accept = headers.get('accept') ?? '*/*';
  return qualityOf(accept, mediaType) > qualityOf(accept, 'application/json');
};
