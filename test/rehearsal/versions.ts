import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { environments } from '../support/environments.ts';

/** The site of the changed version, with a page to which the visitor of a plain form is sent. */
export const newSite = { origin: 'https://new.example.com', thankYouUrl: 'https://new.example.com/thank-you' };

/** Who gets mails of `prod`, and from where. */
export const mailed = { from: 'contact@example.com', to: ['inbox@example.com', 'sales@example.com'] };

const { dev, prod } = environments;

/** Which version: `changed` is deployed over `first`. */
export type VersionName = 'first' | 'changed';

/** The name of the secret with Slack's URL, which the operator stores. */
export const slackSecret = 'contact/slack-url';

/** Four targets: two addresses, a signed webhook and Slack. */
export const notificationsWith = (webhook: string): NonNullable<EnvironmentInput['notifications']> => ({
  from: mailed.from,
  emails: mailed.to,
  webhooks: [{ url: webhook }, { format: 'slack', secret: slackSecret }],
});

/** The environments that are rehearsed, of which only `prod` has notifications. @param webhook its URL */
export const versionsFor = (webhook: string) =>
  ({
    first: {
      dev,
      prod: { ...prod, notifications: notificationsWith(webhook) },
    },
    changed: { dev: { ...dev, sites: [newSite], logRetentionDays: 14 } },
  }) satisfies Record<VersionName, Record<string, EnvironmentInput>>;
