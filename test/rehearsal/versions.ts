import { environments } from '../../lib/environments.ts';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';

/** Where the changed version sends the visitor of a plain form: the first version shows its built-in page. */
export const thankYouUrl = 'https://www.example.com/thank-you';

/** Gets the notifications of `prod`. */
export const notifiedAddress = 'inbox@example.com';

/** An environment's settings, but for what ties it to a real account. */
const anywhere = ({ account, region, customDomain, ...settings }: EnvironmentInput): EnvironmentInput => settings;

const dev = anywhere(environments.dev);
const prod = anywhere(environments.prod);

/** The environments that are rehearsed: `first`, and `changed` in the version that is deployed over it. */
export const versions = {
  first: { dev, prod: { ...prod, notifications: { emails: [notifiedAddress] } } },
  changed: { dev: { ...dev, thankYouUrl, logRetentionDays: 14 } },
} satisfies Record<string, Record<string, EnvironmentInput>>;
