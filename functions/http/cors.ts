import * as v from 'valibot';
import { log } from '../shared/log.ts';
import { HttpError } from './errors.ts';
import type { HttpMiddleware } from './handler.ts';

/** https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.[\]:_-]+$/;

/** Whether a text is an origin as browsers send it. Such a text names a site, not a person, so it may be logged. */
export const isOrigin = (text: string): boolean => originPattern.test(text);

const maxLoggedLength = 100;

const originForLog = (origin: string) => (isOrigin(origin) ? origin.slice(0, maxLoggedLength) : 'malformed');

type Origins = Pick<ReadonlySet<string | undefined>, 'has'>;

/**
 * Lets pages of these origins read every response. The gateway responds to preflights (lib/infrastructure/preflight.ts).
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 * @param exposed the headers that they can read besides the usual ones
 */
const readableBy = (origins: Origins, exposed: string): HttpMiddleware => {
  const allow: NonNullable<HttpMiddleware['after']> = ({ event, response }) => {
    if (!response) return;
    response.headers['Vary'] = 'Origin';
    const { origin } = event;
    if (origin === undefined || !origins.has(origin)) return;
    response.headers['Access-Control-Allow-Origin'] = origin;
    response.headers['Access-Control-Expose-Headers'] = exposed;
  };
  return { after: allow, onError: allow };
};

/**
 * Lets pages of the sites read every response, and refuses requests from other pages with 403.
 * @param sites by their origins
 */
export const siteCors = (sites: Origins): HttpMiddleware => ({
  ...readableBy(sites, 'Location, Idempotent-Replayed, Retry-After'),
  before: ({ event: { id, origin } }) => {
    if (origin === undefined || sites.has(origin)) return;
    log('warn', 'origin refused', { requestId: id, origin: originForLog(origin) });
    throw new HttpError(403);
  },
});

/** What the functions that an inbox calls read from variables. */
export const inboxSettings = v.object({
  /** The origins of the pages that can call the function. */
  inboxOrigins: v.optional(v.array(v.string()), []),
});

/** Lets pages of these origins read every response. It refuses nobody: a token decides. */
export const inboxCors = (origins: readonly string[] = []): HttpMiddleware[] =>
  origins.length > 0 ? [readableBy(new Set(origins), 'Link, Retry-After')] : [];
