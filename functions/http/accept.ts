import type { HttpRequest } from './request.ts';

/** The quality that an `Accept` header gives to a media type: its most specific range counts (RFC 9110, 12.5.1). */
const qualityOf = (accept: string, type: string, subtype: string): number => {
  const ranges = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    ranges.set(name, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return ranges.get(`${type}/${subtype}`) ?? ranges.get(`${type}/*`) ?? ranges.get('*/*') ?? 0;
};

/** Whether the caller would rather have a page than JSON, as a browser that posts a plain form does. */
export const prefersHtml = ({ headers }: HttpRequest): boolean => {
  const accept = headers.get('accept') ?? '*/*';
  return qualityOf(accept, 'text', 'html') > qualityOf(accept, 'application', 'json');
};
