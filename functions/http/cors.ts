import { log } from '../shared/log.ts';
import { HttpError } from './errors.ts';
import type { HttpMiddleware } from './handler.ts';
import type { HttpRequest } from './request.ts';

/** The origin of the page that sends the request; `null`, of a page that hides it, counts as missing. */
export const originOf = ({ headers }: HttpRequest): string | undefined => {
  const origin = headers.get('origin');
  return origin === 'null' ? undefined : origin;
};

/** https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.[\]:_-]+$/;

/** Whether a text is an origin as browsers send it. Such a text names a site, not a person, so it may be logged. */
export const isOrigin = (text: string): boolean => originPattern.test(text);

const maxLoggedLength = 100;

const loggable = (origin: string) => (isOrigin(origin) ? origin.slice(0, maxLoggedLength) : 'malformed');

/**
 * Lets pages of the sites read every answer, and refuses requests from other pages with 403. The gateway answers preflights
 * (lib/infrastructure/api.ts). https://fetch.spec.whatwg.org/#http-cors-protocol
 * @param sites by their origins
 */
export const cors = (sites: ReadonlyMap<string | undefined, { readonly origin: string }>): HttpMiddleware => {
  const allow: NonNullable<HttpMiddleware['after']> = ({ event, response }) => {
    if (!response) return;
    response.headers['Vary'] = 'Origin';
    const site = sites.get(originOf(event));
    if (!site) return;
    response.headers['Access-Control-Allow-Origin'] = site.origin;
    response.headers['Access-Control-Expose-Headers'] = 'Location, Idempotent-Replayed, Retry-After';
  };
  return {
    before: ({ event }) => {
      const origin = originOf(event);
      if (origin === undefined || sites.has(origin)) return;
      log('warn', 'origin refused', { requestId: event.id, origin: loggable(origin) });
      throw new HttpError(403);
    },
    after: allow,
    onError: allow,
  };
};
