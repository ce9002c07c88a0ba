import { inspect } from 'node:util';

/** What may be written as an earlier version had it. */
interface EarlierSettings {
  readonly siteOrigins?: unknown;
  readonly thankYouUrl?: unknown;
  readonly sites?: unknown;
}

const listOf = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
};

/** An origin as browsers write it, as far as it is one. */
const asOrigin = (value: unknown): unknown => {
  const { origin } = typeof value === 'string' && URL.canParse(value) ? new URL(value) : {};
  return origin === undefined || origin === 'null' ? value : origin;
};

/**
 * Reads `siteOrigins` and `thankYouUrl`, in whose place `sites` stands.
 * @returns the settings as they are written today, and what is to be written: every site that either of the two has
 */
export const readEarlierSettings = (input: object): { readonly settings: object; readonly fault?: string } => {
  const { siteOrigins, thankYouUrl, ...rest }: EarlierSettings = input;
  if (siteOrigins === undefined && thankYouUrl === undefined) return { settings: rest };
  const named = [siteOrigins !== undefined && 'siteOrigins', thankYouUrl !== undefined && 'thankYouUrl'].filter(
    Boolean,
  );
  const given = listOf(rest.sites).map((site) => (typeof site === 'object' ? { ...site } : { origin: asOrigin(site) }));
  const earlier = listOf(siteOrigins)
    .map((origin) => ({ origin: asOrigin(origin) }))
    .filter(({ origin }) => !given.some((site) => 'origin' in site && site.origin === origin));
  const sites = [...given, ...earlier].map((site) =>
    thankYouUrl === undefined || 'thankYouUrl' in site ? site : { ...site, thankYouUrl },
  );
  const written = inspect(sites, { breakLength: Number.POSITIVE_INFINITY, maxArrayLength: null });
  return {
    settings: { ...rest, sites },
    fault: `${named.join(' and ')}: now stand${named.length === 1 ? 's' : ''} with each site: write sites: ${written}`,
  };
};
