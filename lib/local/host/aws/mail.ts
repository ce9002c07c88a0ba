import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import addressParser from 'nodemailer/lib/addressparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { fault, notServed, type ServiceCall } from './service-server.ts';

/** Text with or without its character set, which JSON makes Unicode anyway. */
const contentSchema = v.strictObject({ Charset: v.optional(v.string()), Data: v.string() });

const addresses = v.optional(v.array(v.string()), []);

/** What is served of https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html: a message of plain text. */
const sendEmailSchema = v.strictObject({
  ConfigurationSetName: v.optional(v.string()),
  Content: v.strictObject({
    Simple: v.strictObject({
      Body: v.strictObject({ Text: contentSchema }),
      Headers: v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() })), []),
      Subject: contentSchema,
    }),
  }),
  Destination: v.strictObject({ ToAddresses: addresses }),
  FromEmailAddress: v.string(),
  ReplyToAddresses: addresses,
});

type Mail = v.InferOutput<typeof sendEmailSchema>;

/** What stands in the message besides what the sender gives: https://docs.aws.amazon.com/ses/latest/dg/header-fields.html */
const compose = ({ Content, Destination, FromEmailAddress, ReplyToAddresses }: Mail, id: string, date: Date) => {
  const { Body, Headers, Subject } = Content.Simple;
  const mail = new MailComposer({
    from: FromEmailAddress,
    to: Destination.ToAddresses,
    replyTo: ReplyToAddresses,
    subject: Subject.Data,
    headers: Headers.map(({ Name, Value }) => ({ key: Name, value: Value })),
    messageId: `<${id}@email.amazonses.com>`,
    date,
    text: Body.Text.Data,
    // Any line of any length, as it is.
    encoding: 'quoted-printable',
    newline: 'win',
  });
  return mail.compile().build();
};

/** As file names are on every system. */
const fileNameOf = (id: string, date: Date) => `${date.toISOString().replaceAll(':', '-')}-${id}.eml`;

/**
 * Amazon SES, which sends nothing: each mail is a file of a folder, for its owner alone.
 * @param identities the addresses that may send; without any, each may
 */
export const createSes = async (folder: string, identities: readonly string[], clock: Clock): Promise<ServiceCall> => {
  /** For mails that are not whole yet. A service that was killed leaves them there, and sends them again. */
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });

  const keep = async (name: string, content: Buffer) => {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    const file = join(unfinished, name);
    try {
      await writeFile(file, content, { mode: 0o600 });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(file, join(folder, name));
    } catch (error) {
      // Each try on a full disk would leave another part.
      await rm(file, { force: true });
      throw error;
    }
  };

  return async (target, body) => {
    if (target !== 'POST /v2/email/outbound-emails') return notServed(target);
    const input = v.safeParse(sendEmailSchema, body);
    if (!input.success) return notServed('this form of SendEmail');
    const { FromEmailAddress: from } = input.output;
    const [sender] = addressParser(from, { flatten: true });
    if (identities.length > 0 && !identities.includes(sender?.address ?? '')) {
      return fault(
        400,
        'MessageRejected',
        `Email address is not verified. The following identities failed the check in region US-EAST-1: ${from}`,
      );
    }
    const id = randomUUID();
    const date = new Date(clock.now());
    await keep(fileNameOf(id, date), await compose(input.output, id, date));
    return { status: 200, body: { MessageId: id } };
  };
};
