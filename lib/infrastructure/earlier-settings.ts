import { inspect } from 'node:util';

/** What may be written as an earlier version had it. */
interface EarlierSettings {
  readonly siteOrigins?: unknown;
  readonly thankYouUrl?: unknown;
  readonly sites?: unknown;
  readonly notifications?: unknown;
}

/** The settings as they are written today, and what is to be written in place of those of earlier versions. */
export interface ReadSettings {
  readonly settings: object;
  readonly faults: readonly string[];
}

const listOf = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
};

const written = (value: unknown): string =>
  inspect(value, { breakLength: Number.POSITIVE_INFINITY, maxArrayLength: null });

/** An origin as browsers write it, as far as it is one. */
const asOrigin = (value: unknown): unknown => {
  const { origin } = typeof value === 'string' && URL.canParse(value) ? new URL(value) : {};
  return origin === undefined || origin === 'null' ? value : origin;
};

/** `siteOrigins` and `thankYouUrl`, in whose place `sites` stands: with every site that either of the two has. */
const readSites = (input: object): ReadSettings => {
  const { siteOrigins, thankYouUrl, ...rest }: EarlierSettings = input;
  if (siteOrigins === undefined && thankYouUrl === undefined) return { settings: rest, faults: [] };
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
  return {
    settings: { ...rest, sites },
    faults: [
      `${named.join(' and ')}: now stand${named.length === 1 ? 's' : ''} with each site: write sites: ${written(sites)}`,
    ],
  };
};

/** `notifications.webhookUrl`, in whose place `webhooks` stands. */
const readNotifications = (input: object): ReadSettings => {
  const { notifications }: EarlierSettings = input;
  if (typeof notifications !== 'object' || notifications === null || !('webhookUrl' in notifications))
    return { settings: input, faults: [] };
  const { webhookUrl, ...rest }: { webhookUrl?: unknown; webhooks?: unknown } = notifications;
  const webhooks = [...listOf(rest.webhooks), { url: webhookUrl }];
  return {
    settings: { ...input, notifications: { ...rest, webhooks } },
    faults: [
      `notifications.webhookUrl: is now one of webhooks, which are signed and carry no X-Api-Key (docs/notifications.md): write webhooks: ${written(webhooks)}`,
    ],
  };
};

/** Reads what earlier versions had. */
export const readEarlierSettings = (input: object): ReadSettings => {
  const sites = readSites(input);
  const { settings, faults } = readNotifications(sites.settings);
  return { settings, faults: [...sites.faults, ...faults] };
};
