import * as v from 'valibot';
import { log } from '../shared/log.ts';
import { HttpError } from './errors.ts';
import type { HttpMiddleware } from './handler.ts';
import { hiddenOrigin } from './request.ts';

/** https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin */
const originPattern = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.[\]:_-]+$/;

/** Whether a text is an origin as browsers send it. Such a text names a site, not a person, so it may be logged. */
export const isOrigin = (text: string): boolean => originPattern.test(text);

const maxLoggedLength = 100;

const originForLog = (origin: string) => (isOrigin(origin) ? origin.slice(0, maxLoggedLength) : 'malformed');

type Origins = Pick<ReadonlySet<string | undefined>, 'has'>;

interface Readers {
  readonly mayRead: (origin: string) => boolean;
  /** The headers that they can read besides the usual ones. */
  readonly exposed: string;
  /** Whether they may send credentials, which mean nothing here. */
  readonly withCredentials?: boolean;
}

/**
 * Lets pages of these origins read every response. The gateway responds to preflights (lib/infrastructure/preflight.ts).
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 */
const readableBy = ({ mayRead, exposed, withCredentials = false }: Readers): HttpMiddleware => {
  const allow: NonNullable<HttpMiddleware['after']> = ({ event, response }) => {
    if (!response) return;
    response.headers['Vary'] = 'Origin';
    const origin = event.headers.get('origin');
    if (origin === undefined || !mayRead(origin)) return;
    response.headers['Access-Control-Allow-Origin'] = origin;
    response.headers['Access-Control-Expose-Headers'] = exposed;
    if (withCredentials) response.headers['Access-Control-Allow-Credentials'] = 'true';
  };
  return { after: allow, onError: allow };
};

/**
 * Lets pages of the sites, and those that hide their origin, read every response. Refuses requests from other pages with 403.
 * @param sites by their origins
 */
export const siteCors = (sites: Origins): HttpMiddleware => ({
  ...readableBy({
    mayRead: (origin) => origin === hiddenOrigin || sites.has(origin),
    exposed: 'Location, Idempotent-Replayed, Retry-After',
    // Some libraries send them everywhere, and could not read the response without this.
    withCredentials: true,
  }),
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
  origins.length > 0
    ? [readableBy({ mayRead: (origin) => origins.includes(origin), exposed: 'Link, Retry-After, Sunset' })]
    : [];
