import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { environments } from '../support/environments.ts';

/** The site of the changed version, with a page to which the visitor of a plain form is sent. */
export const newSite = { origin: 'https://new.example.com', thankYouUrl: 'https://new.example.com/thank-you' };

/** Who is told by mail of what `prod` gets, and from where. */
export const mailed = { from: 'contact@example.com', to: ['inbox@example.com', 'sales@example.com'] };

const { dev, staging, prod } = environments;

/** Which version: `changed` is deployed over `first`. */
export type VersionName = 'first' | 'changed';

/** Where the webhooks of `prod` are. */
export interface Webhooks {
  readonly standard: string;
  readonly slack: string;
}

/** The environments that are rehearsed, of which only `prod` tells anybody. */
export const versionsFor = ({ standard, slack }: Webhooks) =>
  ({
    first: {
      dev,
      staging,
      prod: {
        ...prod,
        notifications: {
          from: mailed.from,
          emails: mailed.to,
          webhooks: [{ url: standard }, { url: slack, format: 'slack' }],
        },
      },
    },
    changed: { dev: { ...dev, sites: [newSite], logRetentionDays: 14, listShards: 3 } },
  }) satisfies Record<VersionName, Record<string, EnvironmentInput>>;
