import * as v from 'valibot';
import { email, flag, list, localHosts, settings, text } from './setting-kinds.ts';

/**
 * A function has 4 KB for all of its variables: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxUrl = 2000;

/** Two functions at once for each, and a place in the variables of two functions, which hold 4 KB each. */
const maxTargets = 20;

const webhookExample =
  ', as in { url: "https://hooks.example.com/contact" } or { format: "slack", secret: "slack-url" }';

/** What is wrong with a webhook's URL, if something is. The URL is not said: that of a chat is a secret. */
const urlFault = (value: string): string | undefined => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'is no URL: write it in full, as in "https://hooks.example.com/contact"';
  if (url.protocol === 'http:' && !localHosts.includes(url.hostname))
    return 'must begin with https:// (http:// is for localhost only)';
  if (url.username !== '' || url.password !== '')
    return 'has a name or password before an "@", which is not sent: a webhook is known by its signature';
  if (value.includes('#')) return 'has a "#", and what follows it is never sent';
  if (url.href.length > maxUrl) return `must be at most ${maxUrl.toLocaleString('en')} characters long`;
  return undefined;
};

/** Where a webhook's receiver is. */
export const webhookUrl = v.pipe(
  text,
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? urlFault(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
  v.transform((value) => (URL.canParse(value) ? new URL(value).href : value)),
);

/** A receiver of Standard Webhooks. */
const signedWebhook = settings(
  {
    url: v.pipe(
      webhookUrl,
      v.check(
        (url) => !URL.canParse(url) || new URL(url).hostname !== 'hooks.slack.com',
        'is one of Slack: store it in Secrets Manager, and write { format: "slack", secret: "<the secret\'s name>" } instead',
      ),
    ),
  },
  webhookExample,
);

/** An incoming webhook of Slack. Whoever knows its URL can write to the channel, so the settings hold only the name of a secret. */
const slackWebhook = settings(
  {
    format: v.literal('slack', 'must be "slack", or missing for a signed webhook'),
    secret: v.pipe(
      v.string('must be the name of a secret in Secrets Manager that holds the URL'),
      // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html
      v.regex(/^[\w/+=.@-]{1,512}$/, 'is no name of a secret: store the URL in Secrets Manager and write its name'),
    ),
  },
  webhookExample,
);

const isObject = (input: unknown): input is object => typeof input === 'object' && input !== null;

const webhook = v.lazy((input) => (isObject(input) && 'format' in input ? slackWebhook : signedWebhook));

/** The targets that are notified of each contact request that is not spam. */
export const notifications = v.pipe(
  settings({
    /** The address that e-mails come from. */
    from: v.optional(email),
    /** Get each contact request by e-mail. */
    emails: v.optional(list(email), []),
    /** Get each contact request by POST. */
    webhooks: v.optional(
      v.pipe(
        v.array(webhook, 'must be a list of webhooks, as in [{ url: "https://hooks.example.com/contact" }]'),
        v.check(
          (webhooks) => new Set(webhooks.map((each) => JSON.stringify(each))).size === webhooks.length,
          'names one twice',
        ),
      ),
      [],
    ),
    /** SES has verified `from` and `emails` in this account and region already: the stack makes no identities. */
    existingIdentities: v.optional(flag, false),
    /** Stops notifications for now; up to 24 hours of it lose nothing. */
    paused: v.optional(flag, false),
  }),
  v.check(
    ({ emails, webhooks }) => emails.length + webhooks.length > 0,
    'names no target: set emails, webhooks or both',
  ),
  v.check(
    ({ emails, webhooks }) => emails.length + webhooks.length <= maxTargets,
    `names more than ${maxTargets} targets: use a mailing list, or a program that passes notifications on`,
  ),
  v.forward(
    v.check(
      ({ emails, from }) => emails.length === 0 || from !== undefined,
      'is missing: write the address that e-mails come from, one that gets mail, as in from: "contact@example.com"',
    ),
    ['from'],
  ),
);
