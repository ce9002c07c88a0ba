import { hash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import { writeOwnFile } from '../store/own-file.ts';
import type { EmailTemplate } from '../template/definitions.ts';
import { EmailError, type SendEmail } from './outgoing-email.ts';
import { awsError, type ServiceCall, type ServiceResponse, unsupported } from './service-call.ts';

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

/** The supported part of SendTemplatedEmail, to one address: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendTemplatedEmail.html */
const sendTemplatedEmailSchema = v.strictObject({
  Action: v.literal('SendTemplatedEmail'),
  Version: v.string(),
  ConfigurationSetName: v.optional(v.string()),
  'Destination.ToAddresses.member.1': v.string(),
  'ReplyToAddresses.member.1': v.optional(v.string()),
  Source: v.string(),
  Template: v.string(),
  TemplateData: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
});

/**
 * SES wants an address to be ASCII, and a name in other characters to be encoded by the caller:
 * https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html
 */
const isAscii = (address: string) => /^[\x20-\x7e]*$/.test(address);

/** SES adds the id and the date: https://docs.aws.amazon.com/ses/latest/dg/header-fields.html */
const compose = async (
  { Content, Destination, FromEmailAddress, ReplyToAddresses }: Mail,
  messageId: string,
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
    messageId,
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

const notAscii = 'An address has characters that are not ASCII';

const addressesIn = ({ FromEmailAddress, Destination, ReplyToAddresses }: Mail) => [
  FromEmailAddress,
  ...Destination.ToAddresses,
  ...ReplyToAddresses,
];

/** The older API of SES speaks XML: https://smithy.io/2.0/aws/protocols/aws-query-protocol.html */
const inXml = (status: number, content: string): ServiceResponse => ({
  status,
  headers: { 'Content-Type': 'text/xml' },
  body: content,
});

const errorInXml = (status: number, code: string, message: string): ServiceResponse =>
  inXml(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  );

/**
 * Fills in a template's values as they are, as SES does, but nothing else of Handlebars. Without one of them, SES sends nothing.
 * https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-advanced.html
 */
const render = ({ subject, text, html }: EmailTemplate, values: Readonly<Record<string, string>>) => {
  const fill = (part: string) =>
    part.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The data of the template lack ${name}`);
      return value;
    });
  return {
    Subject: { Data: fill(subject) },
    Body: { Text: { Data: fill(text) }, Html: { Data: fill(html) } },
  };
};

/** Writes each email to a file that only the owner can read. */
export const writeEmails =
  (folder: string): SendEmail =>
  async ({ id, date, content }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeOwnFile(folder, fileNameOf(id, date), content);
  };

const bareAddress = (address: string) => /<([^<>]*)>$/.exec(address)?.[1] ?? address;

interface SesOptions {
  readonly templates: readonly EmailTemplate[];
  readonly send: SendEmail;
  /** The host in `Message-ID`. @defaultValue that of SES */
  readonly messageHost?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The status and code of SES for an email that was not accepted. */
const errorOf = ({ failure, reason }: EmailError): readonly [status: number, code: string] => {
  if (failure === 'refused') return [400, 'MessageRejected'];
  const code = reason.replace(/\W.*/, '');
  return failure === 'not sent' ? [400, code] : [500, code];
};

/** Milliseconds: the functions stop waiting for SES a little later, and SQS lets them try again after a minute and a half. */
const patience = 4_000;

/** Milliseconds for which the outcome of a slow email is kept. */
const keptFor = 10 * 60_000;

/**
 * Sends each email once: a mail server may think for longer than a function waits. The retry gets the outcome of the first try,
 * or would send the email again, every minute and a half for a day.
 */
const onceEach = (send: (mail: Mail) => Promise<string>, clock: Clock) => {
  const underWay = new Map<string, Promise<string>>();
  return (mail: Mail): Promise<string> => {
    const key = hash('sha256', JSON.stringify(mail));
    const earlier = underWay.get(key);
    if (earlier) return earlier;
    const startedAt = clock.now();
    const forget = () => void underWay.delete(key);
    const sending = send(mail);
    underWay.set(key, sending);
    sending.then(() => {
      if (clock.now() - startedAt < patience) forget();
      else clock.after(keptFor, forget);
    }, forget);
    return sending;
  };
};

/** Amazon SES. It ignores configuration sets. */
export const createSes = ({
  templates,
  send,
  messageHost = 'email.amazonses.com',
  clock,
  log,
}: SesOptions): ServiceCall => {
  /** @returns the message's id */
  const sendMail = onceEach(async (mail) => {
    const id = randomUUID();
    const date = new Date(clock.now());
    const content = await compose(mail, `<${id}@${messageHost}>`, date);
    const from = bareAddress(mail.FromEmailAddress);
    await send({ id, date, from, to: mail.Destination.ToAddresses.map(bareAddress), content });
    return id;
  }, clock);

  /** @param render makes the response of an API */
  const orError = (error: unknown, render: (status: number, code: string, message: string) => ServiceResponse) => {
    if (!(error instanceof EmailError)) throw error;
    log('email', `not accepted: ${error.reason}`);
    return render(...errorOf(error), error.reason);
  };

  const sendTemplated = async (body: unknown): Promise<ServiceResponse> => {
    const input = v.safeParse(sendTemplatedEmailSchema, body);
    if (!input.success) return errorInXml(400, 'InvalidAction', 'The local host does not serve this form of it');
    const { Source, Template, TemplateData, ...sent } = input.output;
    const template = templates.find(({ name }) => name === Template);
    if (!template) return errorInXml(400, 'TemplateDoesNotExist', `Template ${Template} does not exist`);
    const mail: Mail = {
      FromEmailAddress: Source,
      Destination: { ToAddresses: [sent['Destination.ToAddresses.member.1']] },
      ReplyToAddresses: [sent['ReplyToAddresses.member.1'] ?? []].flat(),
      Content: { Simple: { ...render(template, TemplateData), Headers: [] } },
    };
    if (!addressesIn(mail).every(isAscii)) return errorInXml(400, 'InvalidParameterValue', notAscii);
    const id = await sendMail(mail);
    const result = `<SendTemplatedEmailResult><MessageId>${id}</MessageId></SendTemplatedEmailResult>`;
    return inXml(200, `<SendTemplatedEmailResponse>${result}</SendTemplatedEmailResponse>`);
  };

  return async (target, body) => {
    if (target === 'SendTemplatedEmail') return sendTemplated(body).catch((error) => orError(error, errorInXml));
    if (target !== 'POST /v2/email/outbound-emails') return unsupported(target);
    const input = v.safeParse(sendEmailSchema, body);
    if (!input.success) return unsupported('this form of SendEmail');
    if (!addressesIn(input.output).every(isAscii)) return awsError(400, 'BadRequestException', notAscii);
    try {
      return { status: 200, body: { MessageId: await sendMail(input.output) } };
    } catch (error) {
      return orError(error, awsError);
    }
  };
};
