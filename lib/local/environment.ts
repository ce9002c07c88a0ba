import { type EnvironmentInput, parseEnvironment } from '../infrastructure/settings.ts';
import type { LocalSettings } from './settings.ts';

/** API Gateway's own limit for an account, in requests a second: nothing on this machine is to be throttled before. */
const accountThrottle = { rate: 10_000, burst: 5_000 };

/** The settings of `dev` about its forms. The others are about an account. */
const formSettings = ({ sites, spam, extraFields, retentionDays }: Partial<EnvironmentInput>) => ({
  ...(spam && { spam }),
  ...(extraFields !== undefined && { extraFields }),
  ...(retentionDays !== undefined && { retentionDays }),
  sites: sites ?? [],
});

/** The sender of mails, which stay on this machine: https://www.rfc-editor.org/rfc/rfc2606#section-3 */
const sender = 'contact-service@localhost.example';

/** The webhooks of `dev` are called from AWS alone. */
const notificationsOf = (
  dev: EnvironmentInput['notifications'],
  { NOTIFY_EMAIL = [], NOTIFY_WEBHOOK: url }: LocalEnvironmentSettings,
): Pick<EnvironmentInput, 'notifications'> => {
  const { from = sender, emails: ofDev = [] } = dev ?? {};
  const emails = [...ofDev, ...NOTIFY_EMAIL.filter((address) => !ofDev.includes(address))];
  const webhooks = url === undefined ? [] : [{ url }];
  return emails.length + webhooks.length === 0 ? {} : { notifications: { from, emails, webhooks } };
};

type LocalEnvironmentSettings = Pick<LocalSettings, 'SITE_ORIGINS'> &
  Partial<Pick<LocalSettings, 'NOTIFY_EMAIL' | 'NOTIFY_WEBHOOK' | 'THANK_YOU_URL'>>;

/**
 * The environment that `npm start` serves: it has the sites, form settings and mail settings of `dev`, so that a page is
 * allowed in one place for both. The example site and `SITE_ORIGINS` add sites, `THANK_YOU_URL` is every site's, and
 * `NOTIFY_EMAIL` and `NOTIFY_WEBHOOK` add targets.
 * @throws {SettingsError} a line for each setting of `dev` that is wrong
 */
export const localEnvironment = (
  { dev }: Readonly<Record<string, object>>,
  settings: LocalEnvironmentSettings,
  exampleSite?: string,
): EnvironmentInput => {
  const ofDev: Partial<EnvironmentInput> = dev ? parseEnvironment('dev', dev) : {};
  const { sites, ...others } = formSettings(ofDev);
  const { SITE_ORIGINS, THANK_YOU_URL: thankYouUrl } = settings;
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
    ...notificationsOf(ofDev.notifications, settings),
    throttles: { public: accountThrottle, staff: accountThrottle },
    retainData: false,
    logRetentionDays: 1,
  };
};
