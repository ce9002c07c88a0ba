import { join } from 'node:path';
import { chatKinds } from '../../functions/notify/target.ts';
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

/** The sender and the receivers of emails: one address gets all. The others get a form, a topic, spam, and what is left. */
export const mailed = {
  from: 'Büro <contact@example.com>',
  /** The sender with its name encoded, as SES gets it. */
  header: '=?utf-8?B?QsO8cm8=?= <contact@example.com>',
  all: 'inbox@example.com',
  sales: 'sales@example.com',
  support: 'support@example.com',
  others: 'others@example.com',
  spam: 'spam@example.com',
};

/** The chat products, each with the name of the secret that holds its URL. The operator stores these. */
export const chatSecrets = chatKinds.map((kind) => ({ kind, secret: `contact/${kind}-url` }));

/** Five addresses, a signed webhook and each chat product. @param receiver the URL of the server that gets webhooks */
export const notificationsTo = (receiver: string): NonNullable<EnvironmentInput['notifications']> => ({
  from: mailed.from,
  emails: [
    mailed.all,
    { to: mailed.sales, forms: ['sales'] },
    { to: mailed.support, where: { topic: ['Support', 'Rückgabe'] } },
    { to: mailed.others, otherwise: true },
    { to: mailed.spam, spam: true },
  ],
  webhooks: [{ url: `${receiver}/signed` }, ...chatSecrets.map(({ kind, secret }) => ({ format: kind, secret }))],
});
