import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import * as v from 'valibot';
import { type Contact, fieldNames } from '../contacts/contact.ts';
import { en } from '../contacts/languages/en.ts';
import { errorName, LoggableError, type TimeLimit, withDeadline } from '../shared/calls.ts';
import type { Deliver } from './deliver.ts';
import { commandsFor, formatTime, type Subjects, subjectOf } from './wording.ts';

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
 * @param environment its name, for the staff command
 */
export const emailText = (contact: Contact, environment: string): string => {
  const { id, site, form, createdAt, releasedAt } = contact;
  const commands = commandsFor(id, environment);
  return [
    ...fieldEntries(contact),
    ...extraEntries(contact),
    ...(site === undefined ? [] : [entry('Site', [site])]),
    // Anyone can send a form's name.
    ...(form === undefined ? [] : [entry('Form', linesOf(form).map(quoted))]),
    entry('Received', [formatTime(createdAt)]),
    ...(releasedAt === undefined ? [] : [entry('Released from spam', [formatTime(releasedAt)])]),
    howToAnswer(contact),
    `-- \n${entry('Id', [id])}`,
    entry('Show it', [commands.show]),
    entry('Delete it', [commands.delete]),
  ].join('\n');
};

export interface EmailOptions {
  readonly from: string;
  readonly to: string;
  /** Publishes bounces, complaints and rejects, which raise alarms. */
  readonly configurationSet: string | undefined;
  /** The environment's name. */
  readonly environment: string;
  readonly subjects: Subjects;
}

/** Milliseconds for SES to accept an email. */
const sendLimit = 8_000;

const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' });

/**
 * Delivers by email. SES composes and encodes the headers.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Message.html
 */
export const deliverByEmail =
  (
    client: SESv2Client,
    { from, to, configurationSet, environment, subjects }: EmailOptions,
    limit: TimeLimit,
  ): Deliver =>
  async ({ contact }) => {
    const replyAddress = replyAddressOf(contact);
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      ConfigurationSetName: configurationSet,
      ...(replyAddress !== undefined && { ReplyToAddresses: [replyAddress] }),
      Content: {
        Simple: {
          Subject: utf8(subjectOf(contact, subjects)),
          Body: { Text: utf8(emailText(contact, environment)) },
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
