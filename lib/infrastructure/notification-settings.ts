import * as v from 'valibot';
import {
  emailSetting,
  emailTarget,
  safeAddressOf,
  type TargetSettings,
  webhookSetting,
  webhookTarget,
} from './notification-targets.ts';
import { distinct, email, flag, settings } from './schemas.ts';
import { senderSetting } from './sender.ts';

/** The setting `notifications` of an environment. */
export const notifications = v.pipe(
  settings({
    /** The sender of emails, which can have a name: `Contact form <contact@example.com>`. */
    from: v.optional(senderSetting),
    /** Where replies to confirmations go. @defaultValue the first of `emails` that does not get spam */
    replyTo: v.optional(email),
    /** Addresses that get contact requests by email. */
    emails: v.optional(
      distinct(emailSetting, ({ to }) => to.toLowerCase(), {
        example: ' of addresses, as in ["me@example.com"]',
        duplicate: 'write one entry for each address',
      }),
      [],
    ),
    /** Receivers that get contact requests by POST. */
    webhooks: v.optional(
      distinct(webhookSetting, (each) => webhookTarget(each).address, {
        example: ' of webhooks, as in [{ url: "https://hooks.example.com/contact" }]',
        duplicate: 'write one entry for each URL and each secret',
        nameOf: (each) => safeAddressOf(webhookTarget(each)),
      }),
      [],
    ),
    /** SES has verified `from` and `emails` in this account and region: the stack creates no identities. */
    existingIdentities: v.optional(flag, false),
    /** Stops notifications: see docs/notifications.md#paused. */
    paused: v.optional(flag, false),
  }),
  v.check(({ emails, webhooks }) => emails.length + webhooks.length > 0, 'has no target: set emails, webhooks or both'),
  v.forward(
    v.check(
      ({ emails, from }) => emails.length === 0 || from !== undefined,
      'is required with emails: write an address that receives email, as in from: "contact@example.com"',
    ),
    ['from'],
  ),
);

/** The settings of notifications, parsed. */
export type NotificationSettings = v.InferOutput<typeof notifications>;

/** Each address and each webhook of the settings. */
export const targetsOf = ({ emails, webhooks }: NotificationSettings): readonly TargetSettings[] => [
  ...emails.map(emailTarget),
  ...webhooks.map(webhookTarget),
];

interface NamesOfEnvironment {
  readonly forms: Readonly<Record<string, unknown>>;
  readonly sites: readonly { readonly origin: string }[];
  readonly notifications?: NotificationSettings | undefined;
}

/** A line for each name in a condition that the environment does not have. If it lists no forms, they can have any name. */
export const unknownNames = ({ forms, sites, notifications: given }: NamesOfEnvironment): string[] => {
  const { emails = [], webhooks = [] } = given ?? {};
  const known = { forms: Object.keys(forms), sites: sites.map(({ origin }) => origin) };
  const checkedConditions = known.forms.length > 0 ? (['forms', 'sites'] as const) : (['sites'] as const);
  return Object.entries({ emails, webhooks }).flatMap(([list, targets]) =>
    targets.flatMap((target, at) =>
      checkedConditions.flatMap((condition) =>
        (target[condition] ?? [])
          .filter((name) => !known[condition].includes(name))
          .map(
            (name) =>
              `${list}.${at}.${condition} has "${name}", but ${condition} of the environment does not: correct the name, or add it to ${condition}`,
          ),
      ),
    ),
  );
};
