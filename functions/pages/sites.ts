import * as v from 'valibot';

/** A site whose forms submit here: an entry of the setting `sites`. */
export const site = v.object({
  /** As browsers send it: https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin */
  origin: v.string(),
  /** The success page for plain forms; absent: the built-in page. */
  thankYouUrl: v.optional(v.string()),
  /** The language of built-in pages and of messages in `details`: a tag of functions/languages/languages.ts. */
  language: v.string(),
});

export type Site = Readonly<v.InferOutput<typeof site>>;

/** The sites of the environment, by origin. */
export type Sites = ReadonlyMap<string | undefined, Site>;

export const sitesByOrigin = (sites: readonly Site[]): Sites => new Map(sites.map((each) => [each.origin, each]));

/** Whether a URL is a page of one of the sites, or a site itself. */
export const isOfSites = (url: string | undefined, sites: Sites): boolean =>
  [...sites.keys()].some((origin) => `${url}/`.startsWith(`${origin}/`));
