import { environments } from '../../lib/environments.ts';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';

/** The site of the changed version, with a page to which the visitor of a plain form is sent. */
export const newSite = { origin: 'https://new.example.com', thankYouUrl: 'https://new.example.com/thank-you' };

/** Gets the notifications of `prod`. */
export const notifiedAddress = 'inbox@example.com';

/** An environment's settings, but for what ties it to a real account. */
const anywhere = ({ account, region, customDomain, ...settings }: EnvironmentInput): EnvironmentInput => settings;

const dev = anywhere(environments.dev);
const prod = anywhere(environments.prod);

/** The environments that are rehearsed: `first`, and `changed` in the version that is deployed over it. */
export const versions = {
  first: { dev, prod: { ...prod, notifications: { from: 'contact@example.com', emails: [notifiedAddress] } } },
  changed: { dev: { ...dev, sites: [newSite], logRetentionDays: 14 } },
} satisfies Record<string, Record<string, EnvironmentInput>>;
