import { createHash } from 'node:crypto';
import type { Conditions } from '../../functions/notify/targets.ts';
import type { NotificationSettings } from './notification-settings.ts';

/** Where a target is. */
type TargetAddress =
  | { readonly kind: 'email'; readonly to: string }
  | { readonly kind: 'webhook'; readonly url: string }
  | { readonly kind: 'slack'; readonly secret: string };

/** A target in the settings. */
export type TargetSettings = TargetAddress & { readonly conditions: Conditions };

/** Each address and each webhook of the settings. */
export const targetsOf = ({ emails, webhooks }: NotificationSettings): readonly TargetSettings[] => [
  ...emails.map(({ to, ...conditions }) => ({ kind: 'email', to, conditions }) as const),
  ...webhooks.map((webhook) => {
    const { forms, sites } = webhook;
    const conditions = { forms, sites };
    return 'url' in webhook
      ? ({ kind: 'webhook', url: webhook.url, conditions } as const)
      : ({ kind: 'slack', secret: webhook.secret, conditions } as const);
  }),
];

/** Eight hexadecimal digits of a text's hash. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * The name of a target in the stack, logs and metrics. It depends only on the address, so that its queue stays if
 * conditions or other targets change. It hides the address.
 */
export const nameOf = (target: TargetAddress): string => {
  switch (target.kind) {
    case 'email':
      return `Email${digest(target.to)}`;
    case 'webhook':
      return `Webhook${digest(target.url)}`;
    case 'slack':
      return `Slack${digest(target.secret)}`;
  }
};

/** Words in a URL's path are safe to show; other parts can be secret. */
const isWord = (part: string) => /^([a-z][a-z_-]{0,19}|v\d)$/.test(part);

/** A target's address without possible secrets: `cdk deploy` prints outputs, also in CI logs. */
export const safeAddressOf = (target: TargetAddress): string => {
  if (target.kind === 'email') return target.to;
  if (target.kind === 'slack') return `secret ${target.secret}`;
  const { origin, pathname, search } = new URL(target.url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const firstSecret = parts.findIndex((part) => !isWord(part));
  const isWhole = firstSecret === -1 && search === '';
  const shown = [origin, ...(firstSecret === -1 ? parts : parts.slice(0, firstSecret)), ...(isWhole ? [] : ['…'])];
  return shown.join('/');
};

/** A target's name for people. */
export const labelOf = (target: TargetAddress): string => {
  switch (target.kind) {
    case 'email':
      return `email to ${target.to}`;
    case 'webhook':
      return `webhook at ${new URL(target.url).host}`;
    case 'slack':
      return `Slack by the secret ${target.secret}`;
  }
};

/** The identities that cover an address in SES: itself, its domain, and the domains above. */
export const identitiesOf = (address: string): string[] => {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))];
};
