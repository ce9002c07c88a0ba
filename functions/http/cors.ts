import { log } from '../log.ts';
import { HttpError } from './errors.ts';
import type { HttpMiddleware } from './handler.ts';
import { isOrigin, originOf } from './origin.ts';

const maxLoggedLength = 100;

/** What the log is told of a refused origin: it names a site, not a person, when it has an origin's form. */
const loggable = (origin: string) => (isOrigin(origin) ? origin.slice(0, maxLoggedLength) : 'malformed');

/**
 * Lets pages of the sites, which are told by their origins, read every answer, and refuses requests from pages elsewhere with 403.
 * The preflight is the gateway's (lib/infrastructure/api/preflight.ts). https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export const cors = (sites: ReadonlyMap<string | undefined, { readonly origin: string }>): HttpMiddleware => {
  const allow: NonNullable<HttpMiddleware['after']> = ({ event, response }) => {
    // Stryker disable next-line ConditionalExpression: there is an answer by then, which its type does not know
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
