import { type EnvironmentInput, parseEnvironment } from '../infrastructure/settings.ts';
import type { LocalSettings } from './settings.ts';

/** API Gateway's own limit for an account, in requests a second: nothing on this machine is to be throttled before. */
const accountThrottle = { rate: 10_000, burst: 5_000 };

type NotifySettings = Pick<LocalSettings, 'NOTIFY_EMAIL' | 'NOTIFY_WEBHOOK'>;

/** What counts of `dev`: what its forms meet, and how its list lies. All else is about an account. */
const formSettings = ({ sites, honeypotField, extraFields, retentionDays, listShards }: Partial<EnvironmentInput>) => ({
  ...(honeypotField !== undefined && { honeypotField }),
  ...(extraFields !== undefined && { extraFields }),
  ...(retentionDays !== undefined && { retentionDays }),
  ...(listShards !== undefined && { listShards }),
  sites: sites ?? [],
});

/** From whom the mails are, which nobody sends: https://www.rfc-editor.org/rfc/rfc2606#section-3 */
const sender = 'contact-service@localhost.example';

/** Who is told; nobody unless asked for, so that nothing of it starts. */
const notificationsOf = ({ NOTIFY_EMAIL, NOTIFY_WEBHOOK }: NotifySettings) =>
  NOTIFY_EMAIL === undefined && NOTIFY_WEBHOOK === undefined
    ? {}
    : {
        notifications: {
          from: sender,
          emails: NOTIFY_EMAIL === undefined ? [] : [NOTIFY_EMAIL],
          webhooks: NOTIFY_WEBHOOK === undefined ? [] : [{ url: NOTIFY_WEBHOOK }],
        },
      };

/**
 * The environment that `npm start` serves: forms meet what they meet in `dev`, so that a page is allowed in one place for
 * both. The example site and `SITE_ORIGINS` are allowed besides, `THANK_YOU_URL` is every site's, and `NOTIFY_EMAIL` and
 * `NOTIFY_WEBHOOK` alone are told of contact requests.
 * @throws {EnvironmentError} a line for each setting of `dev` that is wrong
 */
export const localEnvironment = (
  { dev }: Readonly<Record<string, object>>,
  {
    SITE_ORIGINS,
    THANK_YOU_URL: thankYouUrl,
    ...notify
  }: Pick<LocalSettings, 'SITE_ORIGINS' | 'THANK_YOU_URL'> & NotifySettings,
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
    ...notificationsOf(notify),
    throttles: { public: accountThrottle, staff: accountThrottle },
    retainData: false,
    logRetentionDays: 1,
  };
};
