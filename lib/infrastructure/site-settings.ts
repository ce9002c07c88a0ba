import * as v from 'valibot';
import { languages, languageTags } from '../../functions/contacts/languages/languages.ts';
import { localHosts, oneOf, settings, text } from './setting-kinds.ts';

/** What is wrong with an origin, if something is: a browser's `Origin` is compared with it byte for byte. */
const originFault = (value: string): string | undefined => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return `"${value}" is no site origin: write scheme and host, as in "https://www.example.com"`;
  // The URL standard takes `*` and quotation marks for parts of a name.
  if (!/^[\w.:[\]-]+$/.test(url.host)) return `"${value}" names no host: write each host in full, without "*"`;
  if (url.origin !== value) return `"${value}" is not how browsers write an origin: write "${url.origin}"`;
  if (url.protocol === 'http:' && !localHosts.includes(url.hostname))
    return `"${value}" must begin with https:// (http:// is for localhost only)`;
  return undefined;
};

/** The origin of a site, as browsers send it. https://html.spec.whatwg.org/#ascii-serialisation-of-an-origin */
export const siteOrigin = v.pipe(
  text,
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? originFault(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);

/** Where a plain form's visitor is sent after a success. */
export const thankYouUrl = v.pipe(
  text,
  v.check(
    (value) => URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol),
    ({ input }) => `"${input}" is no absolute URL, such as "https://www.example.com/thank-you"`,
  ),
  // As it may stand in a header: percent-encoded.
  v.transform((value) => new URL(value).href),
);

const site = settings(
  {
    origin: siteOrigin,
    /** Without it a plain form's visitor sees a built-in page. */
    thankYouUrl: v.optional(thankYouUrl),
    /** Of the built-in pages and of the messages that tell mistakes. */
    language: v.optional(oneOf(languageTags), languages[0].tag),
  },
  ', as in { origin: "https://www.example.com" }',
);

/** The sites whose forms post here: each once. */
export const sites = v.pipe(
  v.array(site, 'must be a list of sites, as in [{ origin: "https://www.example.com" }]'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const origins = dataset.value.map(({ origin }) => origin);
    for (const [index, origin] of origins.entries()) {
      const first = origins.indexOf(origin);
      if (first === index) continue;
      const value = dataset.value;
      addIssue({
        message: `is that of sites.${first} again: list a site once`,
        path: [
          { type: 'array', origin: 'value', input: value, key: index, value: value[index] },
          { type: 'object', origin: 'value', input: { ...value[index] }, key: 'origin', value: origin },
        ],
      });
    }
  }),
);
