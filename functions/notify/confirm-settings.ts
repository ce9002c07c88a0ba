import * as v from 'valibot';
import { metricsSettings } from '../shared/metrics.ts';
import { noSite } from './target.ts';

/**
 * The table of confirm. It has an item for each address that got a confirmation, by a keyed hash, and one for each hour. The
 * infrastructure creates it.
 */
export const confirmationsTable = {
  variable: 'CONFIRMATIONS_TABLE',
  partitionKey: 'id',
  expiry: 'expiresAt',
} as const;

/** What the function confirm reads from variables. */
export const confirmSettings = v.object({
  ...metricsSettings.entries,
  /** The sender of confirmations as SES accepts it, and where replies go; absent: to the sender. */
  mailFrom: v.string(),
  replyTo: v.optional(v.string()),
  configurationSet: v.string(),
  /** The ARN of the secret that keys the hashes of addresses. */
  addressKey: v.string(),
  /** The service's own addresses, which get no confirmation. */
  ownAddresses: v.array(v.string()),
  /** At most so many confirmations begin within an hour of the clock. */
  perHour: v.number(),
  /** Origins of sites, each with the tag of its language. */
  sites: v.array(v.tuple([v.string(), v.string()])),
  /** What stands for a site where a contact request has none. Absent: the first site does. */
  withoutSite: v.optional(v.string()),
  /** The names of the SES templates, by `templateKey`. */
  templates: v.array(v.tuple([v.string(), v.string()])),
});

/** What the function stop-confirmations reads from variables. */
export const stopSettings = v.object({ configurationSet: v.string() });

/** Names the text of a confirmation. @param form one that has words of its own; absent: all others */
export const templateKey = (language: string, form?: string): string =>
  form === undefined ? language : `${language} ${form}`;

/** By origin, and by `noSite`: a name for people, and the tag of a language. */
export type ConfirmedSites = ReadonlyMap<string, { readonly name: string; readonly language: string }>;

export const confirmedSites = ({
  sites,
  withoutSite,
}: Pick<v.InferOutput<typeof confirmSettings>, 'sites' | 'withoutSite'>): ConfirmedSites => {
  const named = sites.map(([origin, language]) => ({ origin, name: URL.parse(origin)?.host ?? origin, language }));
  const none = withoutSite === undefined ? named[0] : { name: withoutSite, language: 'en' };
  return new Map([...named.map((site) => [site.origin, site] as const), ...(none ? [[noSite, none] as const] : [])]);
};

/** What a confirmation says of the site that a contact request names; if that is none of the environment's, of none. */
export const confirmedSite = (sites: ConfirmedSites, origin: string | undefined) => {
  const site = sites.get(origin ?? noSite) ?? sites.get(noSite);
  if (!site) throw new Error('The sites lack an entry for none');
  return site;
};
