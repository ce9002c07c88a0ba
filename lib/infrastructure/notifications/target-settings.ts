import { createHash } from 'node:crypto';
import type { Target } from '../../../functions/notify/notify-variables.ts';
import type { Environment } from '../settings.ts';

type Standard = Extract<Target, { readonly kind: 'standard' }>;

/** A target as the settings have it: of its secret they know nothing. */
export type TargetSettings = Exclude<Target, Standard> | Omit<Standard, 'secretArn'>;

/** Each address and each webhook of the settings. */
export const targetsOf = ({
  from,
  emails,
  webhooks,
}: NonNullable<Environment['notifications']>): readonly TargetSettings[] => [
  ...(from === undefined ? [] : emails.map((to) => ({ kind: 'email', from, to }) as const)),
  ...webhooks.map(({ url, format }) => ({ kind: format, url })),
];

/** Eight hexadecimal digits that stand for a text. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * What a target is called, in the stack as in logs, metrics and dead letters. Of what it is and of nothing else: another
 * one more or less, or another order, gives no queue another name; and a name tells no address.
 */
export const nameOf = (target: TargetSettings): string =>
  target.kind === 'email' ? `Email${digest(target.to)}` : `Webhook${digest(`${target.kind} ${target.url}`)}`;

/** Where a target is: an e-mail address or a URL. */
export const addressOf = (target: TargetSettings): string => (target.kind === 'email' ? target.to : target.url);

/** A target as people know it. */
export const wordsOf = (target: TargetSettings): string =>
  target.kind === 'email'
    ? `e-mail to ${target.to}`
    : `${target.kind === 'slack' ? 'Slack' : 'webhook'} at ${new URL(target.url).host}`;
