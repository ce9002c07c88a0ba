import * as v from 'valibot';
import { providers } from '../../functions/spam/captcha.ts';
import { confirms } from '../infrastructure/confirmation-settings.ts';
import { type Environment, type EnvironmentInput, formSettings, parseEnvironment } from '../infrastructure/settings.ts';
import type { LocalSettings } from './local-settings.ts';

/** API Gateway's limit for an account. Requests to this machine need no lower one. */
const accountThrottle = { rate: 10_000, burst: 5_000 };

/** Instead of what an environment says of AWS. */
export const ofThisMachine = {
  throttles: { public: accountThrottle, staff: accountThrottle },
  logRetentionDays: 1,
} as const;

/** The settings of an environment that are about forms. The others concern an AWS account. */
const aboutForms = v.partial(v.object(formSettings));

/** The secrets of an environment that an operator stores on AWS, by name. Locally, they need nobody's own keys. */
export const localSecrets = ({ spam }: EnvironmentInput): Readonly<Record<string, string>> => {
  const captcha = spam?.captcha;
  return captcha ? { [captcha.secret]: providers[captcha.provider].testKey } : {};
};

/** Whether a contact request that a script sends as JSON, with the usual fields only, is marked as spam. */
export const marksScripts = ({ spam }: EnvironmentInput): boolean =>
  spam?.proofOfWork === 'mark' || spam?.captcha !== undefined;

/** Whether `dev` has webhooks or chats: only the deployed service may call them. */
export const hasUncalledTargets = ({ dev }: Readonly<Record<string, object>>): boolean =>
  dev !== undefined && (parseEnvironment('dev', dev).notifications?.webhooks ?? []).length > 0;

/** The addresses that get emails. */
export const addressesOf = ({ notifications }: EnvironmentInput): string[] =>
  (notifications?.emails ?? []).map((email) => (typeof email === 'string' ? email : email.to));

/** The default sender. Its domain is reserved for examples: https://www.rfc-editor.org/rfc/rfc2606#section-3 */
const sender = 'contact-service@localhost.example';

/** Stands for the webhooks of `dev` if it has confirmations, since notifications need a target. */
const owner = 'owner@localhost.example';

/**
 * Leaves out the webhooks of `dev`: only the deployed service may call them. An address of NOTIFY_EMAIL gets everything, even if
 * it has conditions in `dev`.
 */
const notificationsOf = (
  dev: Environment['notifications'],
  { NOTIFY_EMAIL = [], NOTIFY_WEBHOOK: url }: LocalEnvironmentSettings,
  isConfirming: boolean,
): Pick<EnvironmentInput, 'notifications'> => {
  const { from = sender, emails: ofDev = [], replyTo } = dev ?? {};
  const byAddress = new Map(
    [...ofDev, ...NOTIFY_EMAIL.map((to) => ({ to }))].map((email) => [email.to.toLowerCase(), email]),
  );
  const webhooks = url === undefined ? [] : [{ url }];
  if (isConfirming && byAddress.size + webhooks.length === 0) byAddress.set(owner, { to: owner });
  const emails = [...byAddress.values()];
  return emails.length + webhooks.length === 0
    ? {}
    : { notifications: { from, emails, webhooks, ...(replyTo !== undefined && { replyTo }) } };
};

type LocalEnvironmentSettings = Pick<LocalSettings, 'SITE_ORIGINS'> &
  Partial<Pick<LocalSettings, 'NOTIFY_EMAIL' | 'NOTIFY_WEBHOOK' | 'THANK_YOU_URL'>>;

/** The origins of the pages that `npm start` serves. */
interface LocalPages {
  readonly exampleSite?: string;
  readonly inbox?: string;
}

/**
 * The environment that `npm start` serves. It has the sites, form settings and mail settings of `dev`. The example site and
 * `SITE_ORIGINS` add sites, `THANK_YOU_URL` sets the page of every site, and `NOTIFY_EMAIL` and `NOTIFY_WEBHOOK` add targets.
 * Only the inbox of `npm start` can call the staff endpoints. It has triage, which costs nothing here.
 * @throws {SettingsError} a line for each wrong setting of `dev`
 */
export const localEnvironment = (
  { dev }: Readonly<Record<string, object>>,
  settings: LocalEnvironmentSettings,
  { exampleSite, inbox }: LocalPages = {},
): EnvironmentInput => {
  const parsed = dev && parseEnvironment('dev', dev);
  const isConfirming = parsed !== undefined && confirms(parsed);
  const { sites = [], files, ...others } = v.parse(aboutForms, dev ?? {});
  const { SITE_ORIGINS, THANK_YOU_URL: thankYouUrl } = settings;
  const origins = new Set([
    ...(exampleSite === undefined ? [] : [exampleSite]),
    ...sites.map(({ origin }) => origin),
    ...SITE_ORIGINS,
  ]);
  // The inbox is served there now, so no site is.
  if (inbox !== undefined) origins.delete(inbox);
  return {
    ...others,
    // Nothing here scans, and the data folder has its own files.
    ...(files && { files: { dailyMegabytes: files.dailyMegabytes, scan: false } }),
    sites: [...origins].map((origin) => ({
      ...sites.find((site) => site.origin === origin),
      origin,
      ...(thankYouUrl !== undefined && { thankYouUrl }),
    })),
    ...(inbox !== undefined && { inboxOrigins: [inbox] }),
    ...notificationsOf(parsed?.notifications, settings, isConfirming),
    ...(isConfirming && { confirmationsPerHour: parsed.confirmationsPerHour }),
    triage: true,
    ...ofThisMachine,
    retainData: false,
  };
};
