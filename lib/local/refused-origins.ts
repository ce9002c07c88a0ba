import * as v from 'valibot';
import { isOrigin } from '../../functions/http/cors.ts';
import { siteOrigin } from '../infrastructure/schemas.ts';
import { type HttpRequest, type HttpResponse, headerOf } from './host/gateway/http-message.ts';

/** The maximum of origins to explain: requests from a million different ones must not fill the memory. */
const maxNamed = 100;

/** The origin of a refused request, or of a preflight after which the browser will not send the request. */
const refusedOrigin = (request: HttpRequest, response: HttpResponse): string | undefined => {
  const [origin, ...others] = request.headers.filter(([name]) => name.toLowerCase() === 'origin');
  if (!origin || others.length > 0) return undefined;
  const isPreflight = headerOf(request.headers, 'Access-Control-Request-Method') !== undefined;
  const isRefused = isPreflight
    ? headerOf(response.headers, 'Access-Control-Allow-Origin') !== origin[1]
    : response.statusCode === 403;
  return isRefused ? origin[1] : undefined;
};

const howToAllow = (origin: string, { file, siteOrigins }: OriginSettings): string | undefined => {
  if (origin === 'null') {
    return 'Refused a request from a page without an origin, such as a file. Serve the page from a server on this machine, and allow the origin of that server.';
  }
  // A header can hold anything, and this text goes to the terminal.
  if (!isOrigin(origin)) return undefined;
  const { issues } = v.safeParse(siteOrigin, origin);
  if (issues) return `Refused a request from a page of ${origin}, which cannot be allowed: ${issues[0].message}`;
  return `Refused a request from a page of ${origin}, which is not one of the sites. To allow it, add it to the sites of dev in ${file}
  { origin: '${origin}' },
or start with SITE_ORIGINS=${[...siteOrigins, origin].join()}`;
};

/** How origins can be allowed. */
export interface OriginSettings {
  /** The file of the settings. */
  readonly file: string;
  /** The present value of `SITE_ORIGINS`. */
  readonly siteOrigins: readonly string[];
}

/** Prints how to allow a refused origin, once for each. Browsers hide the reason from the page's script. */
export const explainRefusedOrigins = (allowing: OriginSettings, print: (text: string) => void) => {
  const named = new Set<string>();
  return (request: HttpRequest, response: HttpResponse): void => {
    const origin = refusedOrigin(request, response);
    if (origin === undefined || named.has(origin) || named.size === maxNamed) return;
    named.add(origin);
    const text = howToAllow(origin, allowing);
    if (text !== undefined) print(text);
  };
};
