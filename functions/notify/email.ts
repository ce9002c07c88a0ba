import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import * as v from 'valibot';
import { type Contact, fieldNames, firstField } from '../contacts/contact.ts';
import { en } from '../contacts/languages/en.ts';
import { type Deliver, Failure, nameOf, type TimeLimit, within } from './deliver.ts';
import { commandsFor, subjectOf, timeInWords } from './wording.ts';

/** Where any mail client may begin a new line. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** A line that a visitor wrote, behind a bar: no line of theirs looks like one of ours. */
const theirs = (line: string) => (line === '' ? '|' : `| ${line}`);

const linesOf = (text: string) => text.split(lineBreak);

/** A label, and the lines under it. */
const entry = (label: string, lines: readonly string[]) => `${label}:\n${lines.join('\n')}\n`;

const fieldEntries = (contact: Contact) =>
  fieldNames.flatMap((name) => {
    const value = contact[name];
    return value === undefined ? [] : [entry(en.labels[name], linesOf(value).map(theirs))];
  });

/** The other fields under one label of ours: their names are the visitor's, too. */
const extraEntries = ({ extra }: Contact) => {
  if (!extra) return [];
  const lines = Object.entries(extra).flatMap(([name, value]) => [
    ...linesOf(name),
    ...[value].flat().flatMap((text) => linesOf(text).map((line) => `  ${line}`)),
  ]);
  return [entry('Other fields', lines.map(theirs))];
};

/**
 * An address that mail can be sent to. Browsers accept more in their inputs; SES would refuse such an address together with
 * the mail: RFC 5322, section 3.4.1 (full stops), RFC 5321, section 4.5.3.1 (lengths).
 */
const replyAddress = v.pipe(
  v.string(),
  v.maxLength(254),
  v.rfcEmail(),
  v.regex(/^(?=[^@]{1,64}@)[^.@]+(?:\.[^.@]+)*@.*\./),
);

/** Where a reply goes: the address that the visitor gave, if mail can be sent there. */
export const replyAddressOf = ({ [firstField]: address }: Contact): string | undefined =>
  v.is(replyAddress, address) ? address : undefined;

const howToAnswer = (contact: Contact) => {
  if (replyAddressOf(contact) !== undefined) return 'Reply to this mail to answer.\n';
  const instead = contact[firstField] === undefined ? 'call the number above.' : 'write to the address above.';
  return `A reply does not reach the visitor:\n${instead}\n`;
};

/**
 * A contact request as a mail's text. The visitor's words stand as they are, behind bars; the lines for staff alone stand
 * below the line that sets off a signature (RFC 3676, section 4.3), which most clients leave out of a reply.
 * @param environment the name by which the staff command knows where it is
 */
export const emailText = (contact: Contact, environment: string): string => {
  const { id, site, createdAt, releasedAt } = contact;
  const commands = commandsFor(id, environment);
  return [
    ...fieldEntries(contact),
    ...extraEntries(contact),
    ...(site === undefined ? [] : [entry('Site', [site])]),
    entry('Received', [timeInWords(createdAt)]),
    ...(releasedAt === undefined ? [] : [entry('Released from spam', [timeInWords(releasedAt)])]),
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
}

/** For Amazon SES to accept a mail, in milliseconds. */
const sendLimit = 8_000;

const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' });

/**
 * Delivers by a mail that people can answer. SES composes and encodes the headers.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Message.html
 */
export const deliverByEmail =
  (client: SESv2Client, { from, to, configurationSet, environment }: EmailOptions, limit: TimeLimit): Deliver =>
  async ({ contact }) => {
    const replyAddress = replyAddressOf(contact);
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      ConfigurationSetName: configurationSet,
      ...(replyAddress !== undefined && { ReplyToAddresses: [replyAddress] }),
      Content: {
        Simple: {
          Subject: utf8(subjectOf(contact)),
          Body: { Text: utf8(emailText(contact, environment)) },
          // Automatic responders do not answer: RFC 3834, section 5.
          Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
        },
      },
    });
    try {
      await within(limit(sendLimit), (abortSignal) => client.send(command, { abortSignal }));
    } catch (error) {
      throw new Failure(`SES ${nameOf(error)}`);
    }
  };
