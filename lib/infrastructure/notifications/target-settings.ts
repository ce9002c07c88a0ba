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

/** What may stand in a path for everybody to read: whoever knows the URL of a Slack channel may write to it. */
const isWord = (part: string) => /^([a-z][a-z_-]{0,19}|v\d)$/.test(part);

/**
 * Where a target is, as it may stand on a screen and in the log of a CI job, where `cdk deploy` prints every output: of a
 * URL nothing that could be secret.
 */
export const shownAddressOf = (target: TargetSettings): string => {
  if (target.kind === 'email') return target.to;
  const { origin, pathname, search } = new URL(target.url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const firstSecret = parts.findIndex((part) => !isWord(part));
  const isWhole = firstSecret === -1 && search === '';
  const shown = [origin, ...(firstSecret === -1 ? parts : parts.slice(0, firstSecret)), ...(isWhole ? [] : ['…'])];
  return shown.join('/');
};

/** A target as people know it. */
export const wordsOf = (target: TargetSettings): string =>
  target.kind === 'email'
    ? `e-mail to ${target.to}`
    : `${target.kind === 'slack' ? 'Slack' : 'webhook'} at ${new URL(target.url).host}`;
