import { acceptedRanges, prefers } from '../http/accept.ts';
import type { HttpRequest } from '../http/request.ts';
import { isOfSites, type Site, type Sites } from './sites.ts';

/** Who sends a form, and what they expect. Whatever depends on that reads it here. */
export interface Visitor {
  readonly request: HttpRequest;
  /** The site whose page sends the request. */
  readonly site: Site | undefined;
  /**
   * The site whose language and pages count: without `site`, the only one of the environment. Its own pages hide their origin if
   * their `Referrer-Policy` says so. As a proof of where the request comes from, it is worth nothing.
   */
  readonly likelySite: Site | undefined;
  /** The form's page, or else its site, if the browser names it and it is one of the environment's. */
  readonly cameFrom: string | undefined;
  /** The languages of pages and of messages in `details`, as tags, the preferred one first; some may be unknown here. */
  readonly languages: readonly string[];
  /** Urlencoded or multipart: scripts that send something else need not know the traps. */
  readonly sendsForm: boolean;
  /** A browser sends a plain `<form>`: it never sends JSON, prefers a page as the response, and is going to show it. */
  readonly wantsPage: boolean;
}

/** With any parameters. It does not say that the body can be read. */
const jsonType = /^[\t ]*application\/json[\t ]*(;|$)/i;
const formType = /^[\t ]*(application\/x-www-form-urlencoded|multipart\/form-data)[\t ]*(;|$)/i;

/** Without their regions, the preferred one first (RFC 9110, section 12.5.4). */
const acceptedLanguages = (acceptLanguage: string | undefined): string[] =>
  [...acceptedRanges(acceptLanguage)]
    .filter(([, quality]) => quality > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([range]) => range.replace(/-.*/, ''));

/** Older browsers do not say whether a page or a script sends the request: https://www.w3.org/TR/fetch-metadata/ */
const isNavigation = ({ headers }: HttpRequest): boolean =>
  (headers.get('sec-fetch-mode') ?? 'navigate') === 'navigate';

/** Without an origin, no page of a site need have sent the request, so what the visitor prefers comes first. */
const languagesOf = ({ headers }: HttpRequest, site: Site | undefined): string[] => {
  const ofSite = site ? [site.language] : [];
  const isOfPage = site !== undefined && headers.has('origin');
  return isOfPage ? ofSite : [...acceptedLanguages(headers.get('accept-language')), ...ofSite];
};

export const visitorOf = (request: HttpRequest, sites: Sites): Visitor => {
  const { headers, origin } = request;
  const [only, ...others] = sites.values();
  const site = sites.get(origin);
  const likelySite = origin === undefined && others.length === 0 ? only : site;
  const type = headers.get('content-type') ?? '';
  return {
    request,
    site,
    likelySite,
    cameFrom: [headers.get('referer'), origin].find((url) => isOfSites(url, sites)),
    languages: languagesOf(request, likelySite),
    sendsForm: formType.test(type),
    wantsPage: !jsonType.test(type) && isNavigation(request) && prefers(request, 'text/html'),
  };
};
