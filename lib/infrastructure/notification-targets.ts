import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { chats } from '../../functions/notify/chats.ts';
import type { Conditions } from '../../functions/notify/conditions.ts';
import { type ChatKind, chatKinds, type Target, type TargetKind } from '../../functions/notify/target.ts';
import { isToken } from './cdk-token.ts';
import { conditionSettings } from './notification-conditions.ts';
import { checked, email, flag, insecure, orToken, secretName, settings, webhookUrl } from './schemas.ts';

const emailObject = settings(
  { to: email, ...conditionSettings, spam: v.optional(flag) },
  ', as in { to: "me@example.com", forms: ["sales"] }',
);

/** An entry of `emails`. An address alone has no conditions. */
export const emailSetting = v.lazy((input) =>
  typeof input === 'object' && input !== null
    ? emailObject
    : v.pipe(
        email,
        v.transform((to): v.InferOutput<typeof emailObject> => ({ to })),
      ),
);

const ofWebhook = { ...conditionSettings, spam: v.optional(v.never('only addresses in emails can have spam')) };

const webhookExample =
  ', as in { url: "https://hooks.example.com/contact" } or { format: "slack", secret: "slack-url" }';

const storeUrl = (kind: ChatKind) =>
  `is a ${chats[kind].product} URL: store it in Secrets Manager, and write { format: "${kind}", secret: "<the secret's name>" } instead`;

/** Everybody who knows the URL of a chat's channel can write there, so the settings must not hold it. */
const signedUrl = checked((url) => {
  const { hostname, pathname } = new URL(url);
  // https://developers.google.com/apps-script/guides/web#test_a_web_app_deployment
  if (hostname === 'script.google.com' && pathname.endsWith('/dev')) {
    return 'is that of a test deployment, which works only for you: deploy the script, and write the URL that ends in /exec';
  }
  const kind = chatKinds.find((each) =>
    chats[each].hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)),
  );
  return kind === undefined ? undefined : storeUrl(kind);
});

/** The beginning of a URL is known even if a token follows. */
const secureUrl = v.pipe(
  orToken(v.pipe(webhookUrl, signedUrl)),
  v.check((url) => !(isToken(url) && url.startsWith('http:')), insecure),
);

/** A receiver of Standard Webhooks. */
const signedWebhook = settings({ url: secureUrl, ...ofWebhook }, webhookExample);

const anyChat = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(chatKinds.map((kind) => `"${kind}"`));

/** A channel of a chat product. */
const chatWebhook = settings(
  {
    format: v.picklist(chatKinds, `must be ${anyChat}; leave it out for a signed webhook`),
    secret: orToken(secretName('the URL')),
    ...ofWebhook,
  },
  webhookExample,
);

/** An entry of `webhooks`. */
export const webhookSetting = v.lazy((input) => {
  if (typeof input !== 'object' || input === null) return signedWebhook;
  if ('format' in input) {
    const kind = chatKinds.find((each) => each === input.format);
    return kind !== undefined && 'url' in input ? v.never(`its url ${storeUrl(kind)}`) : chatWebhook;
  }
  return 'secret' in input && !('url' in input) ? v.never(`format is missing: ${anyChat}`) : signedWebhook;
});

/** A target in the settings. */
export interface TargetSettings {
  readonly kind: TargetKind;
  /** An email address, the URL of a signed webhook, or the name of the secret that holds a URL. */
  readonly address: string;
  readonly conditions: Conditions;
}

export const emailTarget = ({ to, ...conditions }: v.InferOutput<typeof emailSetting>): TargetSettings => ({
  kind: 'email',
  address: to,
  conditions,
});

export const webhookTarget = (webhook: v.InferOutput<typeof webhookSetting>): TargetSettings => {
  if ('url' in webhook) {
    const { url, ...conditions } = webhook;
    return { kind: 'webhook', address: url, conditions };
  }
  const { format, secret, ...conditions } = webhook;
  return { kind: format, address: secret, conditions };
};

/** What the stack must know of a kind of target. */
type KindOfTarget = {
  /** A target's name for people. */
  readonly label: (address: string) => string;
  /** A target's address without possible secrets: `cdk deploy` prints outputs, also in CI logs. */
  readonly safeAddress: (address: string) => string;
} & (
  | {
      /** `stored`: the address is the name of a secret in Secrets Manager. */
      readonly secret: 'none' | 'stored';
      /** A target as `notify` reads it. */
      readonly forNotify: (address: string) => Target;
    }
  | {
      /** The stack makes a secret to sign with. */
      readonly secret: 'generated';
      readonly forNotify: (address: string, secretArn: string) => Target;
    }
);

/** Words in a URL's path are safe to show; other parts can be secret. */
const isWord = (part: string) => /^([a-z][a-z_-]{0,19}|v\d)$/.test(part);

/** What names a URL that only the deployment knows. */
const urlOfApp = 'a URL of this app';

const safeUrl = (url: string): string => {
  if (isToken(url)) return urlOfApp;
  const { origin, pathname, search } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const firstSecret = parts.findIndex((part) => !isWord(part));
  const shown = firstSecret === -1 ? parts : [...parts.slice(0, firstSecret), '…'];
  return [origin, ...shown].join('/') + (search === '' ? '' : '?…');
};

export const kindOfTarget = (kind: TargetKind): KindOfTarget => {
  switch (kind) {
    case 'email':
      return {
        label: (to) => `email to ${to}`,
        safeAddress: (to) => to,
        secret: 'none',
        forNotify: (to) => ({ kind, to }),
      };
    case 'webhook':
      return {
        label: (url) => `webhook at ${isToken(url) ? urlOfApp : new URL(url).host}`,
        safeAddress: safeUrl,
        secret: 'generated',
        forNotify: (url, secret) => ({ kind, url, secret }),
      };
    default:
      return {
        label: (secret) => `${chats[kind].product} by the secret ${secret}`,
        safeAddress: (secret) => `secret ${secret}`,
        secret: 'stored',
        forNotify: (secret) => ({ kind, secret }),
      };
  }
};

/** What names a target in errors, without possible secrets. */
export const safeAddressOf = ({ kind, address }: TargetSettings): string => kindOfTarget(kind).safeAddress(address);

/** Eight hexadecimal digits of a text's hash. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * The name of a target in the stack, logs and metrics: `Email1a2b3c4d`. It depends only on the address, so that its queue stays
 * if conditions or other targets change. It hides the address.
 */
export const targetName = ({ kind, address }: TargetSettings): string =>
  `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${digest(address)}`;

/** The identities that cover an address in SES: itself, its domain, and the domains above. */
export const identitiesOf = (address: string): string[] => {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))];
};
