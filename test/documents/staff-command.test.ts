import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { toItem } from '../../functions/campaigns/campaign.ts';
import type { Contact, SpamReason } from '../../functions/contacts/contact.ts';
import { listKeys } from '../../functions/contacts/contacts-table.ts';
import { fanOutSettings, notifySettings } from '../../functions/notify/notify-settings.ts';
import { toVariables } from '../../functions/shared/variables.ts';
import { neededSecrets } from '../../lib/local/needed-secrets.ts';
import type { StaffEnvironment } from '../../lib/staff/environment/staff-environment.ts';
import { listCommands } from '../staff/commands.ts';
import { startDeployed } from '../staff/deployed.ts';
import { now, openAsProgram, runCommand, startStaff } from '../staff/staff.ts';
import { sentFile, startBuckets } from '../support/bucket.ts';
import { awsError } from '../support/fake-aws.ts';
import { putAll } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The commands that docs/staff-command.md runs, each with what a terminal shows. */
const examples = [
  ...readFileSync('docs/staff-command.md', 'utf8').matchAll(
    /^```console\n\$ npx --no-install crcs (.*)\n((?:.*\n)*?)```$/gm,
  ),
].map(([, call = '', shown = '']) => ({ call, shown }));

test('docs/staff-command.md shows every command, in the order of the help, and no other', async () => {
  const shown = examples.map(({ call }) => /^(backup|doctor|\w+ [\w-]+)/.exec(call)?.[0]);
  expect([...new Set(shown)]).toEqual(await listCommands());
});

/** What `putAll` stores of a contact request. */
const contactItem = (contact: Contact, spamReason?: SpamReason) => ({
  ...contact,
  ...(contact.extra && { extra: JSON.stringify(contact.extra) }),
  ...listKeys(contact, spamReason !== undefined),
  ...(spamReason && { spamReason }),
});

const site = 'https://www.example.com';
const spam = { message: 'Buy now!', site, form: 'contact' };
const contacts = [
  contactItem({
    id: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11',
    createdAt: '2026-03-01T09:30:00.000Z',
    email: 'ada@example.com',
    message: 'Do you ship to Malta?',
    firstName: 'Ada',
    lastName: 'Lovelace',
    site,
    form: 'contact',
    campaign: 'spring-sale',
    extra: { topic: 'An order' },
  }),
  contactItem({
    id: '0d9a4c3e-6a52-4d0e-8f6b-7c1f6a1d2b90',
    createdAt: '2026-02-27T16:05:00.000Z',
    email: 'grace@example.com',
    message: 'Tea & cake?',
    site,
    form: 'contact',
  }),
  contactItem({ id: 'a7e1d3b5-4c2f-4d8e-b6a9-2f0c1e3d5b71', createdAt: '2025-11-20T10:00:00.000Z', message: 'Hello' }),
  contactItem({ id: '3b1e7f60-8c2d-4a95-b0f4-5d9e2c7a1b38', createdAt: '2026-02-28T03:12:00.000Z', ...spam }, 'trap'),
  contactItem({ id: '9c4d2e81-3f6a-4b7c-a5d0-1e8f7b6c5a42', createdAt: '2026-02-20T22:47:00.000Z', ...spam }, 'trap'),
];
const onlyOld = contactItem({
  ...spam,
  id: 'e2b8c6d4-1a3f-4e5d-9b7c-8f6a4d2e0c13',
  createdAt: '2026-01-05T08:00:00.000Z',
});

const campaigns = [
  { id: '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10', name: 'spring-sale' },
  { id: 'c1b7a3d4-52c8-4f7e-9d0a-6e3b8f2a1c05', name: 'Newsletter' },
];

/** The conditions of the targets. */
const queues = {
  Email1a2b3c4d: { url: 'https://sqs/one', where: { topic: ['An order'] } },
  Webhook5e6f7a8b: { url: 'https://sqs/two', otherwise: true },
};

/** The environment `prod` of the page, with the same data for each example. @param hasStopped whether its confirmations are */
const startProd = async (hasStopped: boolean) => {
  const deployed = await startDeployed(['Email1a2b3c4d', 'Webhook5e6f7a8b']);
  const { responses, outputs, stacks, tables } = deployed;
  await putAll(tables.contacts, contacts);
  await putAll(tables.campaigns, campaigns.map(toItem));
  const token = ['tokens', 'issue', '--name', 'CRM sync', '--allow', 'contacts:read', '--expires', '90d'];
  await deployed.staff(token, { now: new Date('2025-12-11T12:00:00.000Z') });

  outputs['Settings'] = JSON.stringify({ version: '4.0.0', retainData: true, retentionDays: 90, triage: true });
  if (hasStopped) Object.assign(outputs, { ConfirmFunction: 'confirm', ConfirmationSet: 'confirmations' });
  stacks['ContactService-prod'] = outputs;

  const buckets = await startBuckets('files');
  vi.stubEnv('AWS_ENDPOINT_URL_S3', buckets.url);
  outputs['FilesBucket'] = 'files';
  const [{ id: withFile } = { id: '' }] = contacts;
  const [drawing = ''] = await buckets.attach(tables.contacts, withFile, [sentFile('drawing.pdf', 'x'.repeat(48_213))]);
  buckets.tags.set(drawing, 'NO_THREATS_FOUND');

  const { tables: old } = await startStaff();
  await putAll(old.contacts, [...contacts, onlyOld]);
  await putAll(old.campaigns, campaigns.map(toItem));
  stacks['ContactService-old'] = {
    ContactsTable: old.contacts,
    CampaignsTable: old.campaigns,
    TokensTable: old.tokens,
  };

  const tasks = [undefined, { Status: 'COMPLETED', StartedTimestamp: 1, ApproximateNumberOfMessagesMoved: 3 }];
  Object.assign(responses, {
    'lambda:InvokeFunction': ({ sample }: Readonly<Record<string, unknown>>) =>
      sample === 'Email1a2b3c4d'
        ? { delivered: true, milliseconds: 412 }
        : { delivered: false, reason: 'HTTP 404', milliseconds: 95 },
    'sqs:GetQueueAttributes': () => ({
      Attributes: { QueueArn: 'arn:aws:sqs:eu-central-1:123456789012:dead', ApproximateNumberOfMessages: '3' },
    }),
    'sqs:ListMessageMoveTasks': () => ({ Results: tasks.splice(0, 1).filter((task) => task !== undefined) }),
    'sqs:StartMessageMoveTask': () => ({ TaskHandle: 'one' }),
    'secretsmanager:GetSecretValue': ({ VersionStage }: Readonly<Record<string, unknown>>) =>
      VersionStage === 'AWSCURRENT'
        ? { SecretString: 'A'.repeat(44), CreatedDate: 0 }
        : awsError(400, 'ResourceNotFoundException'),
    'secretsmanager:PutSecretValue': () => ({}),
    'lambda:GetFunctionConfiguration': ({ name }: Readonly<Record<string, unknown>>) => ({
      Environment: {
        Variables:
          name === 'fan-out'
            ? toVariables(fanOutSettings, { environment: 'prod', queues })
            : toVariables(notifySettings, { environment: 'prod', mailFrom: 'contact@example.com', targets: {} }),
      },
    }),
    'ses:GetConfigurationSet': () => ({ SendingOptions: { SendingEnabled: false } }),
    'ses:PutConfigurationSetSendingOptions': () => ({}),
    'ses:GetAccount': () => ({ SendingEnabled: true, ProductionAccessEnabled: true }),
    'ses:GetEmailIdentity': () => ({
      VerifiedForSendingStatus: true,
      DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS' },
    }),
    'cloudformation:ListStackResources': () => ({ StackResourceSummaries: [] }),
  });
  return { deleteFiles: () => buckets.remove('') };
};

/** What a person types after a question. What is secret is not shown. */
const typedIn = (shown: string): readonly string[] =>
  [...shown.matchAll(/^(?:.*\[y\/N\]|Email address:|.* type their number:|slack-url:) (.*)$/gm)].map(
    ([, typed = '']) => typed || 'secret',
  );

/** Without what differs in each run. */
const normalised = (output: string): string =>
  output
    .replaceAll(/crcs_[\w-]+|crcs_…/g, 'crcs_…')
    .replace(/(?<=^Searched by .*: email, phone, ).*(?=, names of extra fields\.)/m, '…')
    .replaceAll(/whsec_\w+|whsec_…/g, 'whsec_…')
    .replaceAll(/^[\da-f]{8}-[\da-f-]{27}$/gm, '<id>')
    .replaceAll(/^[\da-f]{12}(?= )/gm, '<token id>')
    .replace(/^Wrote [\d,]+ bytes/m, 'Wrote some bytes');

/** A server of one's own. */
const ofThisMachine: NonNullable<StaffEnvironment['local']> = {
  dataDir: 'data',
  neededSecrets: neededSecrets({
    spam: { captcha: { secret: 'captcha-key' } },
    notifications: { webhooks: [{ format: 'slack', secret: 'slack-url' }] },
  }),
  readSecret: async (name) => (name === 'slack-url' ? 'secret' : undefined),
  saveSecret: async () => {},
  backUp: async function* () {
    yield Buffer.from('data');
  },
};

test.each(examples)('docs/staff-command.md shows the actual output: $call', async ({ call, shown }) => {
  const { deleteFiles } = await startProd(call.startsWith('confirmations'));
  const typed = typedIn(shown);
  const folder = temporaryFolder();
  const args = [...call.matchAll(/"(.*?)"|(\S+)/g)]
    .map(([, quoted, plain = '']) => quoted ?? plain)
    .map((word) => (/^[\w-]+\.(csv|tar)$/.test(word) ? join(folder, word) : word));
  const { stdout } = await runCommand(args, {
    openEnvironment: async (choice, environments) => ({
      ...(await openAsProgram({ env: 'prod', ...choice }, environments)),
      ...(choice.env === undefined && { local: ofThisMachine }),
      now: () => now,
    }),
    wait: deleteFiles,
    joined: true,
    terminals: ['stdin', 'stdout', 'stderr'],
    columns: 100,
    input: typed.map((line) => `${line}\n`).join(''),
  });
  const responses = typed.values();
  const screen = stdout
    .replaceAll(/(?<=\[y\/N\] |^Email address: | type their number: )/gm, () => `${responses.next().value}\n`)
    .split('\n')
    // Progress disappears from a line when the line is cleared.
    .map((line) => line.split('\r\u001b[K').at(-1))
    .join('\n');
  // The page has this line only once.
  const rest = shown.startsWith('Changing ') ? screen : screen.replace(/^Changing prod: .*\n/, '');
  expect(normalised(shown)).toBe(normalised(rest));
});
