import * as v from 'valibot';
import { isOrigin } from '../../functions/http/cors.ts';
import { siteOrigin } from '../infrastructure/schemas.ts';
import { type Exchange, headerOf } from './host/gateway/http-message.ts';

/** The maximum of texts: requests from a million different origins must not fill the memory. */
const maxPrinted = 100;

/** A refused request, or a preflight after which the browser will not send the request. */
interface Refusal {
  readonly origin: string;
  /** A page like the inbox wants to send a token. */
  readonly hasToken: boolean;
}

const readRefusal = ({ request, response, isGatewayError }: Exchange): Refusal | undefined => {
  // The gateway refuses paths and tokens, not origins.
  if (isGatewayError) return undefined;
  const origins = request.headers.filter(([name]) => name.toLowerCase() === 'origin').map(([, value]) => value);
  const [origin] = origins;
  if (origin === undefined || origins.length > 1) return undefined;
  const isPreflight = headerOf(request.headers, 'Access-Control-Request-Method') !== undefined;
  const isRefused = isPreflight
    ? headerOf(response.headers, 'Access-Control-Allow-Origin') !== origin
    : response.statusCode === 403;
  if (!isRefused) return undefined;
  const askedHeaders = headerOf(request.headers, 'Access-Control-Request-Headers') ?? '';
  return { origin, hasToken: /\bauthentication\b/i.test(askedHeaders) };
};

const howToAllow = (
  { origin, hasToken }: Refusal,
  { file, siteOrigins, inboxOrigin }: OriginSettings,
): string | undefined => {
  const hasOrigin = origin !== 'null';
  // A header can hold anything, and this text goes to the terminal.
  if (hasOrigin && !isOrigin(origin)) return undefined;
  const page = hasOrigin ? `a page of ${origin}` : 'a page without an origin, such as a file';
  if (hasToken) return `Refused a request with a token from ${page}. Open the inbox at ${inboxOrigin}`;
  // The form's endpoint accepts it, so this is a script that forgets its token.
  if (!hasOrigin) return undefined;
  const { issues } = v.safeParse(siteOrigin, origin);
  if (issues) return `Refused a request from ${page}, which cannot be allowed: ${issues[0].message}`;
  return `Refused a request from ${page}, which is not one of the sites. To allow it, write this into .env and start again:
  SITE_ORIGINS=${[...siteOrigins, origin].join()}
Or add this to the sites of dev in ${file}:
  { origin: '${origin}' },`;
};

/** How origins can be allowed. */
interface OriginSettings {
  /** The file of the settings. */
  readonly file: string;
  /** The present value of `SITE_ORIGINS`. */
  readonly siteOrigins: readonly string[];
  /** The origin of the inbox. */
  readonly inboxOrigin: string;
}

/** Prints what to do about refused origins, once for each. Browsers hide the reason from the page's script. */
export const explainRefusedOrigins = (allowing: OriginSettings, print: (text: string) => void) => {
  const printed = new Set<string>();
  return (exchange: Exchange): void => {
    const refusal = readRefusal(exchange);
    const text = refusal && howToAllow(refusal, allowing);
    if (text === undefined || printed.has(text) || printed.size === maxPrinted) return;
    printed.add(text);
    print(text);
  };
};
