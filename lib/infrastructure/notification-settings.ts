import * as v from 'valibot';
import { webhookFormats } from '../../functions/notify/notify-variables.ts';
import { email, flag, list, localHosts, oneOf, settings, text } from './setting-kinds.ts';

/**
 * A function has 4 KB for all of its variables: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxUrl = 2000;

/**
 * Each is a dozen resources, of the 500 that a stack may have, and two functions at once, of the ten in a new account.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
 */
const maxTargets = 20;

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

const webhook = v.pipe(
  settings(
    {
      url: webhookUrl,
      /** `standard`: signed, as Standard Webhooks have it; `slack`: a message for a channel of Slack. */
      format: v.optional(oneOf(webhookFormats), 'standard'),
    },
    ', as in { url: "https://hooks.example.com/contact" }',
  ),
  v.forward(
    v.check(
      ({ url, format }) => format === 'slack' || new URL(url).hostname !== 'hooks.slack.com',
      'must be "slack" for a URL of Slack, which takes nothing else',
    ),
    ['format'],
  ),
);

/** Who is told when a contact request arrives that is not spam. */
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
        v.check((webhooks) => new Set(webhooks.map(({ url }) => url)).size === webhooks.length, 'name a URL twice'),
      ),
      [],
    ),
    /** Whether SES knows `from` and `emails` in this account and region already, so that the stack is not to make them. */
    existingIdentities: v.optional(flag, false),
    /** Whether nobody is told for now, with all that tells left in place: a table can be restored in the meantime. */
    paused: v.optional(flag, false),
  }),
  v.check(
    ({ emails, webhooks }) => emails.length + webhooks.length > 0,
    'names no target: set emails, webhooks or both',
  ),
  v.check(
    ({ emails, webhooks }) => emails.length + webhooks.length <= maxTargets,
    `names more than ${maxTargets} targets: tell a list of recipients or a program that passes it on`,
  ),
  v.forward(
    v.check(
      ({ emails, from }) => emails.length === 0 || from !== undefined,
      'is missing: write the address that e-mails come from, one that gets mail, as in from: "contact@example.com"',
    ),
    ['from'],
  ),
);
