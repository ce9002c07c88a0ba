import { join } from 'node:path';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { projectDir } from '../support/command.ts';

/** Where the rehearsal keeps what it installs and writes. */
export const cacheDir = join(projectDir, '.cache', 'rehearsal');

/** Settings of all environments, as an operator writes them. */
export type Settings = Readonly<Record<string, EnvironmentInput>>;

/** The site that the acceptance suite posts from. */
export const site = { origin: 'http://localhost:8080' };

/** The settings that every rehearsed environment starts with. */
export const firstSettings = {
  sites: [site],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  retainData: true,
  logRetentionDays: 90,
  alarmEmails: ['operations@example.com'],
} satisfies EnvironmentInput;

/** The sender and the receivers of emails: one address gets all, and each form has its own. */
export const mailed = {
  from: 'Büro <contact@example.com>',
  /** The sender with its name encoded, as SES gets it. */
  header: '=?utf-8?B?QsO8cm8=?= <contact@example.com>',
  all: 'inbox@example.com',
  byForm: { sales: 'sales@example.com', support: 'support@example.com' },
};

/** The name of the secret with Slack's URL, which the operator stores. */
export const slackSecret = 'contact/slack-url';

/** Five targets: three addresses, a signed webhook and Slack. @param receiver the URL of the server that gets webhooks */
export const notificationsTo = (receiver: string): NonNullable<EnvironmentInput['notifications']> => ({
  from: mailed.from,
  emails: [mailed.all, ...Object.entries(mailed.byForm).map(([form, to]) => ({ to, forms: [form] }))],
  webhooks: [{ url: `${receiver}/signed` }, { format: 'slack', secret: slackSecret }],
});
