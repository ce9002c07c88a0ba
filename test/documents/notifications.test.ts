import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Contact } from '../../functions/contacts/contact.ts';
import { notificationOf } from '../../functions/notify/deliver.ts';
import { deliverByEmail } from '../../functions/notify/email.ts';
import { createPost } from '../../functions/notify/post.ts';
import { deliverToWebhook } from '../../functions/notify/webhook.ts';
import { startFakeAws } from '../support/fake-aws.ts';
import { noLimit } from '../support/notifications.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { exampleContact } from '../support/stored-contacts.ts';

const document = readFileSync('docs/notifications.md', 'utf8');

/** The blocks of code in the document, by their language. */
const blocks = [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
  language,
  code,
}));

const blockOf = (language: string, begin = '') =>
  blocks.find((block) => block.language === language && block.code.startsWith(begin))?.code ?? '';

/** With its prefix, as receivers have it in their environment. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3tMaq1mYvB7e';

const newerSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g';

const unprefixed = (whole: string) => whole.slice('whsec_'.length);

/** Delivers the example as a webhook. @returns what the receiver got */
const receive = async (time: Date, secrets = [secret], fields: Partial<Contact> = {}): Promise<Received> => {
  await using receiver = await startReceiver();
  const now = () => time;
  const post = createPost(noLimit);
  const deliver = deliverToWebhook(receiver.url, async () => secrets.map(unprefixed), post, now);
  await deliver(notificationOf({ ...exampleContact, ...fields }));
  const [received] = receiver.received;
  return received ?? expect.fail();
};

/** The longest values allowed, in characters of four bytes. */
const everyFieldLong = {
  message: '😀'.repeat(5_000),
  company: '😀'.repeat(200),
  firstName: '😀'.repeat(100),
  lastName: '😀'.repeat(100),
};

describe('docs/notifications.md', () => {
  it('shows the mail that is sent', async () => {
    await using aws = await startFakeAws(() => ({ status: 200, body: { MessageId: 'x' } }));
    const options = {
      ...{ from: 'contact@example.com', to: 'sales@example.com' },
      ...{ configurationSet: undefined, environment: 'prod' },
    };
    await deliverByEmail(new SESv2Client({ endpoint: aws.url }), options, noLimit)(notificationOf(exampleContact));
    const { FromEmailAddress, Destination, ReplyToAddresses, Content } = Object(aws.calls[0]?.input);
    const { Subject, Body, Headers } = Content.Simple;
    const shown = [
      `From: ${FromEmailAddress}`,
      `To: ${Destination.ToAddresses}`,
      `Reply-To: ${ReplyToAddresses}`,
      `Subject: ${Subject.Data}`,
      ...Headers.map(({ Name, Value }: { Name: string; Value: string }) => `${Name}: ${Value}`),
      '',
      Body.Text.Data,
    ];
    expect(blockOf('', 'From:')).toBe(shown.join('\n'));
  });

  it('shows the webhook that is sent', async () => {
    const { method, headers, body } = await receive(new Date('2026-03-01T12:00:01.000Z'));
    const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const shown = [
      `${method} /contact HTTP/1.1`,
      ...names.map((name) => `${name}: ${headers[name]}`),
      '',
      JSON.stringify(JSON.parse(body), null, 2),
      '',
    ];
    expect(blockOf('', 'POST')).toBe(shown.join('\n'));
  });

  it('promises enough room for the largest body', async () => {
    const extra = { a: Array(16 * 1024 - 1).fill('"') };
    const { body } = await receive(new Date(), [secret], { ...everyFieldLong, extra });
    expect(Buffer.byteLength(body)).toBeGreaterThan(64 * 1024);
    expect(Buffer.byteLength(body)).toBeLessThan(128 * 1024);
  });
});

/** A script that verifies a webhook. It reads the webhook from standard input, as JSON. */
interface Verifier {
  readonly command: string;
  readonly args: readonly string[];
  /** The missing requirement, if this machine lacks one. */
  readonly missing: () => string | undefined;
}

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const missingPython = () =>
  succeeds('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))') ? undefined : 'Python 3.9';

/** Where pip puts the package: the next run needs no network. */
const packages = join(import.meta.dirname, '..', '..', '.cache', 'standardwebhooks');

const requirements = join(import.meta.dirname, 'requirements.txt');

const readInput = 'import json, sys; given = json.load(sys.stdin)';

const verifiers: Record<string, Verifier> = {
  "the document's script in Node": {
    command: process.execPath,
    args: [
      '--input-type=module',
      '--eval',
      `${blockOf('js')}
      import { json } from 'node:stream/consumers';
      const { headers, body } = await json(process.stdin);
      console.log(JSON.stringify(readNotification(headers, body)));`,
    ],
    missing: () => undefined,
  },
  "the document's script in Python": {
    command: 'python3',
    args: [
      '-c',
      `${blockOf('python')}
${readInput}
print(json.dumps(read_notification(given["headers"], given["body"].encode())))`,
    ],
    missing: missingPython,
  },
  'the package standardwebhooks of Python': {
    command: 'python3',
    args: [
      '-c',
      `${readInput}
import os; sys.path.insert(0, ${JSON.stringify(packages)})
from standardwebhooks import Webhook
print(json.dumps(Webhook(os.environ["WEBHOOK_SECRET"]).verify(given["body"], given["headers"])))`,
    ],
    missing: () => {
      const quick = ['--quiet', '--disable-pip-version-check', '--retries', '0', '--timeout', '5'];
      const install = [
        '-m',
        'pip',
        'install',
        ...quick,
        '--no-deps',
        '--target',
        packages,
        '--require-hashes',
        '--requirement',
        requirements,
      ];
      const isThere = () =>
        succeeds(
          'python3',
          '-c',
          `import sys; sys.path.insert(0, ${JSON.stringify(packages)}); import standardwebhooks`,
        );
      return (
        missingPython() ?? (isThere() || succeeds('python3', ...install) ? undefined : 'pip, or a way to its index')
      );
    },
  },
};

/** @returns what the script prints; throws what it writes to standard error */
const verify = async ({ command, args }: Verifier, { headers, body }: Received, secretOfReceiver = secret) => {
  const child = spawn(command, args, {
    env: { ...process.env, WEBHOOK_SECRET: secretOfReceiver, PYTHONDONTWRITEBYTECODE: '1' },
  });
  child.stdin.end(JSON.stringify({ headers, body }));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
};

describe.each(Object.entries(verifiers))('%s', (_, verifier) => {
  const missing = verifier.missing();
  // A report names each skipped test.
  beforeEach(({ skip }) => skip(missing !== undefined, `this machine lacks ${missing}`));

  it('accepts what the function signs, whatever a visitor wrote', async () => {
    const message = 'quotes " and \\, breaks\n\u2028, 😀, שלום, \u202e, <!channel>, \r\nBcc: eve@example.com';
    const received = await receive(new Date(), [secret], { message });
    expect(await verify(verifier, received)).toStrictEqual(JSON.parse(received.body));
  });

  it('accepts both the former and the newer secret after a rotation', async () => {
    const received = await receive(new Date(), [newerSecret, secret]);
    for (const each of [newerSecret, secret])
      expect(await verify(verifier, received, each)).toMatchObject({ type: 'contact.created' });
  });

  it('refuses another secret, another body, another id, an old webhook and an unsigned one', async () => {
    const received = await receive(new Date());
    const { headers, body } = received;
    const old = await receive(new Date(Date.now() - 6 * 60 * 1000));
    await expect(verify(verifier, received, newerSecret)).rejects.toThrow();
    await expect(verify(verifier, { ...received, body: body.replace('Grace', 'Eve') })).rejects.toThrow();
    await expect(verify(verifier, { ...received, headers: { ...headers, 'webhook-id': 'x' } })).rejects.toThrow();
    await expect(verify(verifier, old)).rejects.toThrow();
    await expect(verify(verifier, { ...received, headers: {} })).rejects.toThrow(/(Value|Verification)Error/);
  });
});
