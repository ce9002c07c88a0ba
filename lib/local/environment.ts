import { type EnvironmentInput, parseEnvironment } from '../infrastructure/settings.ts';
import type { LocalSettings } from './settings.ts';

/** API Gateway's own limit for an account, in requests a second: nothing on this machine is to be throttled before. */
const accountThrottle = { rate: 10_000, burst: 5_000 };

/** What counts of `dev`: what its forms meet. All else is about an account. */
const formSettings = ({ sites, honeypotField, extraFields, retentionDays }: Partial<EnvironmentInput>) => ({
  ...(honeypotField !== undefined && { honeypotField }),
  ...(extraFields !== undefined && { extraFields }),
  ...(retentionDays !== undefined && { retentionDays }),
  sites: sites ?? [],
});

/**
 * The environment that `npm start` serves: forms meet what they meet in `dev`, so that a page is allowed in one place for
 * both. The example site and `SITE_ORIGINS` are allowed besides, and `THANK_YOU_URL` is every site's.
 * @throws {EnvironmentError} a line for each setting of `dev` that is wrong
 */
export const localEnvironment = (
  { dev }: Readonly<Record<string, EnvironmentInput>>,
  { SITE_ORIGINS, THANK_YOU_URL: thankYouUrl }: Pick<LocalSettings, 'SITE_ORIGINS' | 'THANK_YOU_URL'>,
  exampleSite?: string,
): EnvironmentInput => {
  const { sites, ...others } = formSettings(dev ? parseEnvironment('dev', dev) : {});
  const origins = new Set([
    ...(exampleSite === undefined ? [] : [exampleSite]),
    ...sites.map(({ origin }) => origin),
    ...SITE_ORIGINS,
  ]);
  return {
    ...others,
    sites: [...origins].map((origin) => ({
      ...sites.find((site) => site.origin === origin),
      origin,
      ...(thankYouUrl !== undefined && { thankYouUrl }),
    })),
    throttles: { public: accountThrottle, staff: accountThrottle },
    retainData: false,
    logRetentionDays: 1,
  };
};
