import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

const certificates = join(import.meta.dirname, '..', '..', 'bench', 'store');

/** The certificate of `localhost`: for Node, the variable NODE_EXTRA_CA_CERTS makes it trusted. */
export const trustedCertificate = join(certificates, 'localhost-certificate.pem');

const tls = {
  key: readFileSync(join(certificates, 'localhost-key.pem')),
  cert: readFileSync(trustedCertificate),
};

/** An email as the server got it. */
export interface ReceivedEmail {
  readonly from: string;
  readonly to: readonly string[];
  readonly content: string;
}

/** What a server does with an email. Nothing: it accepts it. An error with `responseCode` refuses it. */
type Judge = (email: ReceivedEmail) => Promise<void> | void;

/** A mail server on this machine, with TLS and a login. */
export interface MailServer extends AsyncDisposable {
  /** A value of SMTP_URL. */
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedEmail[];
  /** How often someone began to send an email. */
  readonly tries: () => number;
  /** Judges from now on. */
  judgeBy(judge: Judge): void;
}

/** An error that a mail server sends. */
export const smtpError = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode });

export const password = 'p@ss/word?#';

/** @param port that of an earlier server, or any */
export const startMailServer = async (options: SMTPServerOptions = {}, port = 0): Promise<MailServer> => {
  const received: ReceivedEmail[] = [];
  let tries = 0;
  let judge: Judge = () => {};
  const server = new SMTPServer({
    secure: true,
    ...tls,
    logger: false,
    onAuth: ({ username, password: given }, _, done) =>
      username === 'user' && given === password
        ? done(null, { user: username })
        : done(smtpError(535, '5.7.8 Wrong user or password')),
    onData: (stream, { envelope }, done) => {
      tries += 1;
      stream.toArray().then(
        async (chunks) => {
          const { mailFrom, rcptTo } = envelope;
          const email = {
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            content: Buffer.concat(chunks).toString(),
          };
          try {
            await judge(email);
            received.push(email);
            done(null);
          } catch (error) {
            done(error instanceof Error ? error : new Error());
          }
        },
        (error: Error) => done(error),
      );
    },
    ...options,
  });
  // A client that leaves in the middle.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server does not listen on a port.');
  const scheme = (options.secure ?? true) ? 'smtps' : 'smtp';
  return {
    url: `${scheme}://user:${encodeURIComponent(password)}@localhost:${address.port}`,
    port: address.port,
    received,
    tries: () => tries,
    judgeBy: (next) => {
      judge = next;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
