import * as v from 'valibot';
import { originOf } from '../http/cors.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Language } from '../languages/language.ts';
import { chooseLanguage, languageTags } from '../languages/languages.ts';

/** A site whose forms submit here: an entry of the setting `sites`. */
export const site = v.object({
  /** As browsers send it: https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin */
  origin: v.string(),
  /** The success page for plain forms; absent: the built-in page. */
  thankYouUrl: v.optional(v.string()),
  /** The language of built-in pages and of messages in `details`. */
  language: v.picklist(languageTags),
});

export type Site = Readonly<v.InferOutput<typeof site>>;

/** The sites of the environment, by origin. */
export type Sites = ReadonlyMap<string | undefined, Site>;

export const sitesByOrigin = (sites: readonly Site[]): Sites => new Map(sites.map((each) => [each.origin, each]));

/** The site whose page sends the request. */
export const siteOf = (request: HttpRequest, sites: Sites): Site | undefined => sites.get(originOf(request));

/** The language for a visitor. */
export const languageOf = (request: HttpRequest, sites: Sites): Language =>
  chooseLanguage(siteOf(request, sites)?.language, request.headers.get('accept-language'));
