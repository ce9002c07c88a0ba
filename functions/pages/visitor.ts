import { acceptedRanges, prefers } from '../http/accept.ts';
import type { HttpRequest } from '../http/request.ts';
import { isOfSites, type Site, type Sites } from './sites.ts';

/** Who sends a form, and what they expect. Whatever depends on that reads it here. */
export interface Visitor {
  readonly request: HttpRequest;
  /** The site whose page sends the request. */
  readonly site: Site | undefined;
  /** The form's page, or else its site, if the browser names it and it is one of the environment's. */
  readonly cameFrom: string | undefined;
  /** The languages of pages and of messages in `details`, as tags, the preferred one first; some may be unknown here. */
  readonly languages: readonly string[];
  /** Only scripts send JSON. */
  readonly sendsJson: boolean;
  /** A browser sends a plain `<form>`: it never sends JSON, and prefers a page as the response. */
  readonly wantsPage: boolean;
}

/** With any parameters. It does not say that the body can be read. */
const jsonType = /^[\t ]*application\/json[\t ]*(;|$)/i;

/** Without their regions, the preferred one first (RFC 9110, section 12.5.4). */
const acceptedLanguages = (acceptLanguage: string | undefined): string[] =>
  [...acceptedRanges(acceptLanguage)]
    .filter(([, quality]) => quality > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([range]) => range.replace(/-.*/, ''));

export const visitorOf = (request: HttpRequest, sites: Sites): Visitor => {
  const { headers, origin } = request;
  const site = sites.get(origin);
  const sendsJson = jsonType.test(headers.get('content-type') ?? '');
  return {
    request,
    site,
    cameFrom: [headers.get('referer'), origin].find((url) => isOfSites(url, sites)),
    languages: site ? [site.language] : acceptedLanguages(headers.get('accept-language')),
    sendsJson,
    wantsPage: !sendsJson && prefers(request, 'text/html'),
  };
};
