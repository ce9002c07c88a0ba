import { prefers } from '../http/accept.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Language } from '../languages/language.ts';
import { chooseLanguage } from '../languages/languages.ts';
import { isOfSites, type Site, type Sites } from './sites.ts';

/** Who sends a form, and what they expect. Whatever depends on that reads it here. */
export interface Visitor {
  readonly request: HttpRequest;
  /** The site whose page sends the request. */
  readonly site: Site | undefined;
  /** The form's page, or else its site, if the browser names it and it is one of the environment's. */
  readonly cameFrom: string | undefined;
  /** Of pages, and of messages in `details`. */
  readonly language: Language;
  /** Only scripts send JSON. */
  readonly sendsJson: boolean;
  /** A browser sends a plain `<form>`: it never sends JSON, and prefers a page as the response. */
  readonly wantsPage: boolean;
}

/** With any parameters. It does not say that the body can be read. */
const jsonType = /^[\t ]*application\/json[\t ]*(;|$)/i;

export const visitorOf = (request: HttpRequest, sites: Sites): Visitor => {
  const { headers, origin } = request;
  const site = sites.get(origin);
  const sendsJson = jsonType.test(headers.get('content-type') ?? '');
  return {
    request,
    site,
    cameFrom: [headers.get('referer'), origin].find((url) => isOfSites(url, sites)),
    language: chooseLanguage(site?.language, headers.get('accept-language')),
    sendsJson,
    wantsPage: !sendsJson && prefers(request, 'text/html'),
  };
};
