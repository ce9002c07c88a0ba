import * as v from 'valibot';
import { distinct, email, flag, nameOfForm, names, secretName, settings, textSetting, webhookUrl } from './schemas.ts';

/** A target gets the contact requests that meet each condition. Without conditions, it gets all. */
const conditions = {
  forms: v.optional(names(nameOfForm)),
  /** Origins of the environment's sites. */
  sites: v.optional(names(textSetting)),
};

const emailTarget = settings({ to: email, ...conditions }, ', as in { to: "me@example.com", forms: ["sales"] }');

/** An address alone has no conditions. */
const emailSetting = v.lazy((input) =>
  typeof input === 'object' && input !== null
    ? emailTarget
    : v.pipe(
        email,
        v.transform((to): v.InferOutput<typeof emailTarget> => ({ to })),
      ),
);

const webhookExample =
  ', as in { url: "https://hooks.example.com/contact" } or { format: "slack", secret: "slack-url" }';

/** A receiver of Standard Webhooks. */
const signedWebhook = settings(
  {
    url: v.pipe(
      webhookUrl,
      v.check(
        (url) => !URL.canParse(url) || new URL(url).hostname !== 'hooks.slack.com',
        'is a Slack URL: store it in Secrets Manager, and write { format: "slack", secret: "<the secret\'s name>" } instead',
      ),
    ),
    ...conditions,
  },
  webhookExample,
);

/** An incoming webhook of Slack. Its URL is a secret, so the settings hold only the name of one in Secrets Manager. */
const slackWebhook = settings(
  {
    format: v.literal('slack', 'must be "slack"; leave it out for a signed webhook'),
    secret: secretName('the URL'),
    ...conditions,
  },
  webhookExample,
);

const webhook = v.lazy((input) =>
  typeof input === 'object' && input !== null && 'format' in input ? slackWebhook : signedWebhook,
);

/** The setting `notifications` of an environment. */
export const notifications = v.pipe(
  settings({
    /** The sender of emails. */
    from: v.optional(email),
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
      distinct(webhook, (each) => ('url' in each ? each.url : each.secret), {
        example: ' of webhooks, as in [{ url: "https://hooks.example.com/contact" }]',
        duplicate: 'write one entry for each URL and each secret',
      }),
      [],
    ),
    /** SES has verified `from` and `emails` in this account and region: the stack creates no identities. */
    existingIdentities: v.optional(flag, false),
    /** Stops notifications; up to 24 hours of it lose nothing. */
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
