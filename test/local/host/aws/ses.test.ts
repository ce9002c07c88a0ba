import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHost } from '../../../../lib/local/host/host.ts';
import { serve, synthesize, type TestStack } from '../test-host.ts';
import { testFolder } from '../test-tables.ts';
import { addIdentity, connect } from './test-services.ts';

const addApi = (stack: TestStack) => stack.api({ 'GET /': stack.echo('Echo', '1') });

const start = async (build: (stack: TestStack) => void = addIdentity) => {
  const served = await serve((stack) => {
    addApi(stack);
    build(stack);
  });
  onTestFinished(served.stop);
  const { ses } = await connect(served.dataDir);
  const folder = join(served.dataDir, 'mail');
  return {
    ...served,
    ses,
    folder,
    /** The mails, in the order of their names. */
    files: () => readdirSync(folder).map((name) => join(folder, name)),
  };
};

/** What the notification of a contact request is made of. */
const mail = ({
  subject = 'Contact request from Ada',
  text = 'Hello!',
  from = 'office@example.com',
  replyTo = ['ada@example.com'],
}: {
  readonly subject?: string;
  readonly text?: string;
  readonly from?: string;
  readonly replyTo?: string[];
}): SendEmailCommandInput => ({
  FromEmailAddress: from,
  Destination: { ToAddresses: ['staff@example.org'] },
  ReplyToAddresses: replyTo,
  Content: {
    Simple: {
      Subject: { Data: subject, Charset: 'UTF-8' },
      Body: { Text: { Data: text, Charset: 'UTF-8' } },
      Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
    },
  },
});

test('a mail is a file, for its owner alone, named by its time and the id that the sender is told', async () => {
  const { ses, folder, files, clock } = await start();
  const { MessageId: id } = await ses.send(new SendEmailCommand(mail({})));
  clock.advance(1000);
  await ses.send(new SendEmailCommand(mail({})));
  const [file = '', later] = files();
  expect(file).toBe(join(folder, `2026-03-04T19-15-17.135Z-${id}.eml`));
  expect(later).toContain('2026-03-04T19-15-18.135Z-');
  expect(files()).toHaveLength(2);
  if (process.getuid) {
    expect([folder, file].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  }
  const [head = '', body] = readFileSync(file, 'latin1').split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'From: office@example.com',
      'To: staff@example.org',
      'Reply-To: ada@example.com',
      'Subject: Contact request from Ada',
      'Date: Wed, 04 Mar 2026 19:15:17 +0000',
      'Auto-Submitted: auto-generated',
      `Message-ID: <${id}@email.amazonses.com>`,
    ]),
  );
  expect(body).toBe('Hello!\r\n');
});

const readMailSchema = v.array(
  v.looseObject({
    Subject: v.string(),
    text: v.string(),
    'Reply-To': v.array(v.string()),
    headers: v.array(v.string()),
  }),
);

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The mails as the `email` package of Python reads them. */
const readMails = (files: readonly string[]) =>
  v.parse(
    readMailSchema,
    JSON.parse(execFileSync('python3', [join(import.meta.dirname, 'read-mails.py'), ...files], { encoding: 'utf8' })),
  );

const hostile: Readonly<Record<string, string>> = {
  'German and French': 'Grüße von Zoë, Ærøskøbing, naïve – “quoted” … €',
  emoji: 'Thanks 👋🏽 👩‍👩‍👧‍👦 🏳️‍🌈!',
  'from right to left': 'שלום עולם, مرحبا بالعالم',
  'a header of its own': 'Hello\r\nBcc: victim@example.com\r\n\r\nbody',
  'a header after a lone line break': 'Hello\nBcc: victim@example.com',
  'words that look encoded': '=?UTF-8?Q?Bcc=3A_a=40example.com?= =41',
  'one long word': 'x'.repeat(2000),
  'long lines of words': 'Grüße und viele Worte '.repeat(200),
  'many line breaks': 'a\n'.repeat(5000),
  'tabs, blanks at ends, a lone dot': '\tindented \t\nends in blanks   \n.\n..\nFrom a line\n\n\n',
  CJK: '日本語のとても長い件名'.repeat(20),
};

/** With the line breaks of mails, one of them at the end. */
const asBody = (text: string) => `${text.replace(/\r?\n$/, '')}\n`.replaceAll(/\r?\n/g, '\r\n');

/** A subject with the beginning of a text. One that looks encoded is sent as it is, and readers decode it. */
const asSubject = (text: string) =>
  `Contact request from ${
    text.startsWith('=?')
      ? 'Ada'
      : text
          .replaceAll(/[\r\n]+/g, ' ')
          .slice(0, 200)
          .trim()
  }`;

describe.skipIf(!hasPython)("as Python's email package reads it", () => {
  test('each mail opens with its text, its subject and the address to answer, and with no header of its text', async () => {
    const { ses, files, clock } = await start();
    const texts = Object.values(hostile);
    for (const [at, text] of texts.entries()) {
      clock.advance(1000);
      const replyTo = [`visitor-${at}@example.net`];
      await ses.send(new SendEmailCommand(mail({ text, subject: asSubject(text), replyTo })));
    }
    const read = readMails(files());
    for (const [at, text] of texts.entries()) {
      expect(read[at]).toEqual({
        From: ['office@example.com'],
        To: ['staff@example.org'],
        'Reply-To': [`visitor-${at}@example.net`],
        Subject: asSubject(text),
        'Auto-Submitted': 'auto-generated',
        'Message-ID': expect.stringMatching(/^<[0-9a-f-]{36}@email\.amazonses\.com>$/),
        date: expect.stringMatching(/^2026-03-04T19:15:\d\d\+00:00$/),
        headers: expect.not.arrayContaining(['Bcc']),
        defects: [],
        text: asBody(text),
      });
    }
    expect(read).toHaveLength(texts.length);
  });

  test('a subject of several lines is one line of the header', async () => {
    const { ses, files } = await start();
    await ses.send(new SendEmailCommand(mail({ subject: 'Hello\r\nBcc: victim@example.com' })));
    const [read] = readMails(files());
    expect(read?.Subject).toBe('Hello Bcc: victim@example.com');
    expect(read?.headers).not.toContain('Bcc');
  });

  test('without an address to answer there is no Reply-To', async () => {
    const { ses, files } = await start();
    await ses.send(new SendEmailCommand(mail({ replyTo: [] })));
    expect(readMails(files())[0]?.headers).not.toContain('Reply-To');
  });
});

test('a mail that cannot be written is a failure of the service, which tells no address', async () => {
  const { ses, folder, logged } = await start();
  writeFileSync(folder, 'in the way');
  await expect(ses.send(new SendEmailCommand(mail({})))).rejects.toMatchObject({
    name: 'InternalFailure',
    $metadata: { httpStatusCode: 500 },
  });
  expect(await logged('services: ')).not.toContain('@example');
  expect(readdirSync(`${folder}.new`)).toEqual([]);
});

test('what a killed service has not written to its end is gone after the next start', async () => {
  const folder = testFolder();
  const dataDir = join(folder, 'data');
  const build = (stack: TestStack) => {
    addApi(stack);
    addIdentity(stack);
  };
  const run = () => startHost({ dataDir, synthesize: async () => synthesize(folder, build), port: 0 });
  await (await run()).close();
  const unfinished = join(dataDir, 'mail.new');
  mkdirSync(unfinished);
  writeFileSync(join(unfinished, 'part.eml'), 'From: office@exam');
  await (await run()).close();
  expect(existsSync(unfinished)).toBe(false);
});

test.each([
  ['office@example.com', 'office@example.com'],
  ['Office <Office@Example.com>', 'office@example.com'],
  ['anybody@example.com', 'example.com'],
  ['anybody@mail.example.com', 'example.com'],
])('%s may send where %s is confirmed', async (from, identity) => {
  const { ses, files } = await start((stack) => addIdentity(stack, identity));
  await ses.send(new SendEmailCommand(mail({ from })));
  expect(files()).toHaveLength(1);
});

test.each([
  ['other@example.com', 'office@example.com'],
  ['office@badexample.com', 'example.com'],
  ['"office@example.com" <other@example.net>', 'office@example.com'],
])('%s may not send where %s is confirmed', async (from, identity) => {
  const { ses, folder } = await start((stack) => addIdentity(stack, identity));
  await expect(ses.send(new SendEmailCommand(mail({ from })))).rejects.toMatchObject({
    name: 'MessageRejected',
    message: `Email address is not verified. The following identities failed the check in region US-EAST-1: ${from}`,
  });
  expect(() => readdirSync(folder)).toThrow('ENOENT');
});
