import { Readable } from 'node:stream';
import type { Transporter } from 'nodemailer';
import * as v from 'valibot';
import { localHosts } from '../infrastructure/schemas.ts';
import { EmailError, type EmailFailure, type SendEmail } from './host/aws/outgoing-email.ts';

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const example = 'as in "smtps://user:password@mail.example.com"';

/** The default ports: https://www.rfc-editor.org/rfc/rfc8314#section-3.3 */
const ports: Readonly<Record<string, number>> = { 'smtps:': 465, 'smtp:': 587 };

const errorOf = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare = url && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === '';
  if (!isBare || ports[url.protocol] === undefined || url.hostname === '') {
    return `is not the URL of a mail server, ${example}. In a password, write %40 for @, %3A for :, %2F for /, %3F for ? and %23 for #`;
  }
  if (decode(url.username) === undefined || decode(url.password) === undefined)
    return 'has a % that begins no code: write %25';
  return (url.username === '') === (url.password === '')
    ? undefined
    : `needs a user and a password, or neither, ${example}`;
};

/** A mail server. Errors do not show its URL, which has a password. */
export const smtpUrl = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? errorOf(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
  v.transform((text) => {
    // After an error, valibot does not come here.
    const { protocol, hostname, port, username, password } = new URL(text);
    return {
      /** TLS from the first byte. Without it, STARTTLS is required, unless the mail server is on this machine. */
      secure: protocol === 'smtps:',
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      isLocal: localHosts.includes(hostname),
      port: port === '' ? ports[protocol] : Number(port),
      auth: username === '' ? undefined : { user: decode(username) ?? '', pass: decode(password) ?? '' },
    };
  }),
);

export type MailServer = v.InferOutput<typeof smtpUrl>;

/** Milliseconds to connect; for the greeting, which some servers delay to deter spammers; and for each response after that. */
const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 40_000, socketTimeout: 120_000 };

/** Milliseconds for the whole email, because a server can send a byte now and then. */
const sendTimeout = 5 * 60_000;

/** Emails that wait for the server at once. Each one above fails, and its queue tries it again. */
const maxWaiting = 200;

/** What nodemailer says of an error. `message` can quote an address if the server has responded. */
const errorSchema = v.looseObject({
  code: v.optional(v.pipe(v.string(), v.regex(/^\w+$/)), 'EUNKNOWN'),
  message: v.string(),
  responseCode: v.optional(v.number()),
  response: v.optional(v.string(), ''),
});

/** The status of a response, with its enhanced code: https://www.rfc-editor.org/rfc/rfc3463 */
const statusIn = (response: string) => /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0].replace('-', ' ');

/** @param hasBegun the server has been given the content */
const toEmailError = (error: unknown, hasBegun: boolean): EmailError => {
  const { code, message, responseCode, response } = v.parse(errorSchema, error);
  const reason = responseCode === undefined ? `${code}: ${message}` : `${code} ${statusIn(response) ?? responseCode}`;
  // The login or the connection is about all emails, so it is no verdict about this one.
  const isVerdict = ['EENVELOPE', 'EMESSAGE'].includes(code) && responseCode !== undefined;
  const isUnknown = hasBegun && responseCode === undefined;
  const failure: EmailFailure = isVerdict && responseCode >= 500 ? 'refused' : isUnknown ? 'unknown' : 'not sent';
  return new EmailError(failure, reason);
};

/** A text of our own, such as an alarm. */
export interface TextEmail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Sends emails through a mail server. */
export interface Smtp {
  readonly send: SendEmail;
  /** @throws {EmailError} */
  readonly sendText: (email: TextEmail) => Promise<void>;
  /** Connects and logs in. @throws {EmailError} */
  readonly verify: () => Promise<void>;
  readonly close: () => void;
}

/** @param ownHost the name by which this machine greets the server */
export const createSmtp = (
  { isLocal, ...server }: MailServer,
  ownHost: string,
  limits: Partial<typeof timeLimits> = {},
): Smtp => {
  let waiting = 0;
  let opened: Promise<Transporter> | undefined;

  const open = async (): Promise<Transporter> => {
    // nodemailer takes a while to load.
    const { createTransport } = await import('nodemailer');
    return createTransport({
      ...server,
      ...timeLimits,
      ...limits,
      name: ownHost,
      // Nodemailer's own retry could send an email twice.
      pool: true,
      maxRequeues: 0,
      ...(!server.secure && (isLocal ? { ignoreTLS: true } : { requireTLS: true })),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };

  const act = async (
    send: (transport: Transporter, signal: AbortSignal) => Promise<unknown>,
    hasBegun = () => false,
  ) => {
    if (waiting >= maxWaiting) throw new EmailError('not sent', 'EBUSY');
    waiting += 1;
    try {
      opened ??= open();
      await send(await opened, AbortSignal.timeout(sendTimeout));
    } catch (error) {
      throw toEmailError(error, hasBegun());
    } finally {
      waiting -= 1;
    }
  };

  return {
    send: ({ from, to, content }) => {
      let hasBegun = false;
      // Nodemailer reads it once the server has asked for the content.
      const raw = new Readable({
        read() {
          hasBegun = true;
          this.push(content);
          this.push(null);
        },
      });
      return act(
        (transport, signal) => transport.sendMail({ envelope: { from, to: [...to] }, raw, signal }),
        () => hasBegun,
      );
    },
    sendText: ({ to, ...email }) =>
      act((transport, signal) =>
        transport.sendMail({ ...email, to: [...to], headers: { 'Auto-Submitted': 'auto-generated' }, signal }),
      ),
    verify: () => act((transport) => transport.verify()),
    close: () => void opened?.then((transport) => transport.close()),
  };
};
