import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { writeOwnFile } from '../store/own-file.ts';
import { awsError, type ServiceCall, unsupported } from './service-call.ts';

/** The character set does not matter: JSON is Unicode. */
const contentSchema = v.strictObject({ Charset: v.optional(v.string()), Data: v.string() });

const addresses = v.optional(v.array(v.string()), []);

/** The supported part of SendEmail, a message of text, or of text and HTML: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
const sendEmailSchema = v.strictObject({
  ConfigurationSetName: v.optional(v.string()),
  Content: v.strictObject({
    Simple: v.strictObject({
      Body: v.strictObject({ Html: v.optional(contentSchema), Text: contentSchema }),
      Headers: v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() })), []),
      Subject: contentSchema,
    }),
  }),
  Destination: v.strictObject({ ToAddresses: addresses }),
  FromEmailAddress: v.string(),
  ReplyToAddresses: addresses,
});

type Mail = v.InferOutput<typeof sendEmailSchema>;

/**
 * SES wants an address to be ASCII, and a name in other characters to be encoded by the caller:
 * https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html
 */
const isAscii = (address: string) => /^[\x20-\x7e]*$/.test(address);

/** SES adds the id and the date: https://docs.aws.amazon.com/ses/latest/dg/header-fields.html */
const compose = async (
  { Content, Destination, FromEmailAddress, ReplyToAddresses }: Mail,
  id: string,
  date: Date,
): Promise<Buffer> => {
  // nodemailer takes a while to load.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { Body, Headers, Subject } = Content.Simple;
  const mail = new MailComposer({
    to: Destination.ToAddresses,
    replyTo: ReplyToAddresses,
    subject: Subject.Data,
    headers: Headers.map(({ Name, Value }) => ({ key: Name, value: Value })),
    messageId: `<${id}@email.amazonses.com>`,
    date,
    text: Body.Text.Data,
    html: Body.Html?.Data,
    // Keeps lines of any length.
    encoding: 'quoted-printable',
    newline: 'win',
  });
  // nodemailer would put an encoded name into quotation marks, where it means nothing.
  return Buffer.concat([Buffer.from(`From: ${FromEmailAddress}\r\n`), await mail.compile().build()]);
};

/** File names cannot have colons on every system. */
const fileNameOf = (id: string, date: Date) => `${date.toISOString().replaceAll(':', '-')}-${id}.eml`;

/** Amazon SES that sends nothing: it writes each mail to a file that only the owner can read. */
export const createSes =
  (folder: string, clock: Clock): ServiceCall =>
  async (target, body) => {
    if (target !== 'POST /v2/email/outbound-emails') return unsupported(target);
    const input = v.safeParse(sendEmailSchema, body);
    if (!input.success) return unsupported('this form of SendEmail');
    const { FromEmailAddress: from, Destination, ReplyToAddresses } = input.output;
    if (![from, ...Destination.ToAddresses, ...ReplyToAddresses].every(isAscii)) {
      return awsError(400, 'BadRequestException', 'An address has characters that are not ASCII');
    }
    const id = randomUUID();
    const date = new Date(clock.now());
    const mail = await compose(input.output, id, date);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeOwnFile(folder, fileNameOf(id, date), mail);
    return { status: 200, body: { MessageId: id } };
  };
