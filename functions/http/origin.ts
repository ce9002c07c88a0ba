import type { HttpRequest } from './request.ts';

/** The origin of the page that sends the request; `null` (a page that hides it) counts as not sent. */
export const originOf = ({ headers }: HttpRequest): string | undefined => {
  const origin = headers.get('origin');
  return origin === 'null' ? undefined : origin;
};

/** An origin as browsers send it (https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin); anything else could be anything. */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.[\]:_-]+$/;

/** Whether a text has an origin's form, so that it names a site, and may be told. */
export const isOrigin = (text: string): boolean => originPattern.test(text);
