import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import * as v from 'valibot';
import { type Contact, fieldNames } from '../contacts/contact.ts';
import { en } from '../contacts/languages/en.ts';
import { errorName, LoggableError, type TimeLimit, withDeadline } from '../shared/calls.ts';
import type { Deliver } from './deliver.ts';
import { factsOf, subjectOf, type Wording, wayToOpen } from './wording.ts';

/** Every line break that some mail client knows. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Quotes a visitor's line with a bar, so that it cannot look like one of ours. */
const quoted = (line: string) => (line === '' ? '|' : `| ${line}`);

const linesOf = (text: string) => text.split(lineBreak);

const entry = (label: string, lines: readonly string[]) => `${label}:\n${lines.join('\n')}\n`;

const fieldEntries = (contact: Contact) =>
  fieldNames.flatMap((name) => {
    const value = contact[name];
    return value === undefined ? [] : [entry(en.labels[name], linesOf(value).map(quoted))];
  });

/** The extra fields under one label: even their names come from the visitor. */
const extraEntries = ({ extra }: Contact) => {
  if (!extra) return [];
  const lines = Object.entries(extra).flatMap(([name, value]) => [
    ...linesOf(name),
    ...[value].flat().flatMap((text) => linesOf(text).map((line) => `  ${line}`)),
  ]);
  return [entry('Other fields', lines.map(quoted))];
};

/**
 * An address that SES accepts: RFC 5322, section 3.4.1 (full stops), RFC 5321, section 4.5.3.1 (lengths). Browsers accept
 * more, and SES would refuse the whole email.
 */
const replyAddress = v.pipe(
  v.string(),
  v.maxLength(254),
  v.rfcEmail(),
  v.regex(/^(?=[^@]{1,64}@)[^.@]+(?:\.[^.@]+)*@.*\./),
);

/** The visitor's address, if emails can be sent there. */
export const replyAddressOf = ({ email: address }: Contact): string | undefined =>
  v.is(replyAddress, address) ? address : undefined;

const howToAnswer = (contact: Contact) => {
  if (replyAddressOf(contact) !== undefined) return 'Reply to this email to answer.\n';
  if (contact.email === undefined && contact.phone === undefined) return 'A reply does not reach the visitor.\n';
  const instead = contact.email === undefined ? 'call the number above.' : 'write to the address above.';
  return `A reply does not reach the visitor:\n${instead}\n`;
};

/**
 * A contact request as the text of an email. The visitor's words are quoted unchanged. The lines for staff stand below a
 * signature's separator (RFC 3676, section 4.3), so most clients leave them out of a reply.
 */
export const emailText = (contact: Contact, wording: Wording): string => {
  const way = wayToOpen(contact.id, wording);
  return [
    ...fieldEntries(contact),
    ...extraEntries(contact),
    ...factsOf(contact).map(({ label, text, isTheirs }) => entry(label, isTheirs ? linesOf(text).map(quoted) : [text])),
    howToAnswer(contact),
    `-- \n${entry('Id', [contact.id])}`,
    ...('link' in way
      ? [entry('Open it in the inbox', [way.link])]
      : [entry('Show it', [way.show]), entry('Delete it', [way.delete])]),
  ].join('\n');
};

export interface EmailOptions {
  readonly from: string;
  readonly to: string;
  /** Publishes bounces, complaints and rejects, which raise alarms. */
  readonly configurationSet: string | undefined;
  readonly wording: Wording;
}

/** Milliseconds for SES to accept an email. */
const sendLimit = 8_000;

const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' });

/**
 * Delivers by email. SES composes and encodes the headers.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Message.html
 */
export const deliverByEmail =
  (client: SESv2Client, { from, to, configurationSet, wording }: EmailOptions, limit: TimeLimit): Deliver =>
  async ({ contact }) => {
    const replyAddress = replyAddressOf(contact);
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      ConfigurationSetName: configurationSet,
      ...(replyAddress !== undefined && { ReplyToAddresses: [replyAddress] }),
      Content: {
        Simple: {
          Subject: utf8(subjectOf(contact, wording)),
          Body: { Text: utf8(emailText(contact, wording)) },
          // Automatic responders do not answer: RFC 3834, section 5.
          Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
        },
      },
    });
    try {
      await withDeadline(limit(sendLimit), (abortSignal) => client.send(command, { abortSignal }));
    } catch (error) {
      throw new LoggableError(`SES ${errorName(error)}`);
    }
  };
