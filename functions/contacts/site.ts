import * as v from 'valibot';
import { originOf } from '../http/cors.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Language } from './languages/language.ts';
import { chooseLanguage, languageTags } from './languages/languages.ts';

/** A site whose forms post here, as the settings have it and the function is told it. */
export const site = v.object({
  /** As browsers send it: https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin */
  origin: v.string(),
  /** Where a plain form's visitor is sent after a success; absent: to a built-in page. */
  thankYouUrl: v.optional(v.string()),
  /** Of the built-in pages, and of the messages in `details`. */
  language: v.picklist(languageTags),
});

export type Site = Readonly<v.InferOutput<typeof site>>;

/** The sites of the environment, by their origins; what has no origin is of none. */
export type Sites = ReadonlyMap<string | undefined, Site>;

export const sitesByOrigin = (sites: readonly Site[]): Sites => new Map(sites.map((each) => [each.origin, each]));

/** The site whose page sends the request. */
export const siteOf = (request: HttpRequest, sites: Sites): Site | undefined => sites.get(originOf(request));

/** In which language a visitor is told something. */
export const languageOf = (request: HttpRequest, sites: Sites): Language =>
  chooseLanguage(siteOf(request, sites)?.language, request.headers.get('accept-language'));
