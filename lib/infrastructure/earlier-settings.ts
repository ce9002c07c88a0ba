import { inspect } from 'node:util';

/** What may be written as an earlier version had it. */
interface EarlierSettings {
  readonly siteOrigins?: unknown;
  readonly thankYouUrl?: unknown;
}

/**
 * Reads `siteOrigins` and `thankYouUrl`, in whose place `sites` stands.
 * @returns the settings as they are written today, and what is to be written
 */
export const readEarlierSettings = (input: object): { readonly settings: object; readonly fault?: string } => {
  const { siteOrigins, thankYouUrl, ...rest }: EarlierSettings = input;
  if (siteOrigins === undefined && thankYouUrl === undefined) return { settings: rest };
  const named = [siteOrigins !== undefined && 'siteOrigins', thankYouUrl !== undefined && 'thankYouUrl'].filter(
    Boolean,
  );
  const given: { readonly origin?: unknown }[] =
    'sites' in rest && Array.isArray(rest.sites)
      ? rest.sites
      : Array.isArray(siteOrigins)
        ? siteOrigins.map((origin: unknown) => ({ origin }))
        : [];
  const sites = given.map((site) => (thankYouUrl === undefined ? site : { ...site, thankYouUrl }));
  const written = inspect(sites, { breakLength: Number.POSITIVE_INFINITY });
  return {
    settings: { ...rest, sites },
    fault: `${named.join(' and ')}: now stand${named.length === 1 ? 's' : ''} with each site: write sites: ${written}`,
  };
};
