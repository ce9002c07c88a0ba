import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as v from 'valibot';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { EmailError } from '../../lib/local/host/aws/outgoing-email.ts';
import { createSmtp, smtpUrl } from '../../lib/local/smtp.ts';
import { type MailServer, smtpError, startMailServer, trustedCertificate } from '../support/mail-server.ts';

const trusted = getCACertificates('default');

// What NODE_EXTRA_CA_CERTS does at the start of a process.
beforeAll(() => {
  setDefaultCACertificates([...trusted, readFileSync(trustedCertificate, 'utf8')]);
  return () => setDefaultCACertificates(trusted);
});

const email = {
  id: 'id',
  date: new Date(),
  from: 'contact@example.com',
  to: ['me@example.com'],
  content: Buffer.from('From: Office <contact@example.com>\r\nSubject: Hello\r\n\r\n.\r\nGr=C3=BC=C3=9Fe\r\n'),
};

/** Sends an email. @returns what failed, and why */
const sendTo = async (url: string, settings: Parameters<typeof createSmtp>[2] = {}, changes: object = {}) => {
  const smtp = createSmtp({ ...v.parse(smtpUrl, url), ...changes }, 'forms.example.com', settings);
  onTestFinished(smtp.close);
  try {
    await smtp.send(email);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof EmailError)) throw error;
    return `${error.failure}: ${error.reason}`;
  }
};

const start = async (...args: Parameters<typeof startMailServer>): Promise<MailServer> => {
  const server = await startMailServer(...args);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
};

test.each([
  ['TLS', {}],
  ['STARTTLS', { secure: false }],
])('sends an email as it is, through %s with a login', async (_, options) => {
  const server = await start(options);
  expect(await sendTo(server.url, {}, { isLocal: false })).toBe('accepted');
  expect(server.received).toEqual([{ from: email.from, to: email.to, content: email.content.toString() }]);
});

test('sends our own texts as what a program wrote', async () => {
  const server = await start();
  const smtp = createSmtp(v.parse(smtpUrl, server.url), 'forms.example.com');
  onTestFinished(smtp.close);
  await smtp.sendText({
    from: 'contact@example.com',
    to: ['ops@example.com'],
    subject: 'disk: full',
    text: 'Free some.',
  });
  expect(server.received).toEqual([
    {
      from: 'contact@example.com',
      to: ['ops@example.com'],
      content: expect.stringMatching(
        /^(?=.*Subject: disk: full\r\n)(?=.*Auto-Submitted: auto-generated\r\n).*Free some\./s,
      ),
    },
  ]);
});

test.each([
  [
    'greylists',
    () => Promise.reject(smtpError(451, '4.7.1 me@example.com: come again')),
    'not sent: EMESSAGE 451 4.7.1',
  ],
  ['refuses', () => Promise.reject(smtpError(550, '5.1.1 me@example.com is unknown')), 'refused: EMESSAGE 550 5.1.1'],
  ['hangs', () => new Promise<void>(() => {}), 'unknown: ETIMEDOUT: Timeout'],
])('says what became of an email if the server %s, and shows no address', async (_, judge, expected) => {
  const server = await start();
  server.judgeBy(judge);
  expect(await sendTo(server.url, { socketTimeout: 200 })).toBe(expected);
  expect(server.tries()).toBe(1);
});

test('does not send an email again if the connection breaks before the response', async () => {
  const sockets = new Set<{ destroy(): void }>();
  const server = await start({
    onConnect: (_, done) => done(),
    onData: (stream) => {
      stream.resume().once('end', () => {
        for (const socket of sockets) socket.destroy();
      });
    },
  });
  const relay = createServer((incoming) => {
    const outgoing = connect(server.port, '127.0.0.1');
    for (const socket of [incoming, outgoing]) sockets.add(socket.on('error', () => {}));
    incoming.pipe(outgoing).pipe(incoming);
  });
  relay.listen(0, '127.0.0.1');
  await new Promise((resolve) => relay.once('listening', resolve));
  onTestFinished(() => void relay.close());
  const address = relay.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  expect(await sendTo(server.url, {}, { port })).toMatch(/^unknown: /);
});

test.each([
  ['a wrong password', (url: string) => url.replace(':p%40ss', ':wrong'), /^not sent: EAUTH 535 5\.7\.8$/],
  ['a server that is away', () => 'smtps://localhost:1', /^not sent: ESOCKET: .*ECONNREFUSED/],
])('says that nothing was sent with %s', async (_, change, expected) => {
  const server = await start();
  expect(await sendTo(change(server.url))).toMatch(expected);
  expect(server.tries()).toBe(0);
});

test('sends neither password nor email to a server whose certificate nobody vouches for', async () => {
  setDefaultCACertificates(trusted);
  onTestFinished(() => setDefaultCACertificates([...trusted, readFileSync(trustedCertificate, 'utf8')]));
  const server = await start();
  expect(await sendTo(server.url)).toMatch(/^not sent: E\w+: .*self-signed certificate/);
});

test('sends neither password nor email without TLS, unless the server is on this machine', async () => {
  const server = await start({ secure: false, hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
  expect(await sendTo(server.url, {}, { isLocal: false })).toMatch(/^not sent: E\w+/);
  const open = await start({ secure: false, authOptional: true, allowInsecureAuth: true });
  expect(await sendTo(open.url)).toBe('accepted');
});
