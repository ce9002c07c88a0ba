import { beforeEach, describe, expect, it, vi } from 'vitest';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { sentFile, startBuckets } from '../support/bucket.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { helpOf, listCommands } from './commands.ts';
import { type DeployedEnvironment, startDeployed, where } from './deployed.ts';
import { environmentNames, lines, openAsProgram, opened, refusal, runCommand, store } from './staff.ts';

const commands = await listCommands();

it('shows the groups of commands and the environments', async () => {
  const { code, stdout, stderr } = await runCommand(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npx --no-install crcs \[options\] \[command\]\n/);
  expect(stdout).toContain(`environment: ${environmentNames.join(', ')} (default: local)\n`);
  expect(stdout).toMatch(/^ {2}campaigns +Manage campaigns$/m);
});

it.each(commands)('shows help in 80 columns, with examples that work: %s', async (name) => {
  const stdout = await helpOf(...name.split(' '));
  // An id leaves no room for less.
  const isLong = (line: string) => line.length > 80 && !/^ {2}npx --no-install crcs .* [\da-f-]{36} /.test(line);
  expect(lines(stdout).filter(isLong)).toEqual([]);
  const examples = lines(stdout.split(/\nExamples?:\n/)[1] ?? '');
  expect(examples).not.toEqual([]);
  for (const example of examples) {
    const call = example.replace('  npx --no-install crcs ', '');
    expect(call).toMatch(new RegExp(`^${name}\\b`));
    const args = [...call.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    expect(await runCommand(args)).toMatchObject({ code: 1, stderr: opened });
  }
});

it('shows the version', async () => {
  expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

it.each([[[]], [['tokens']], [['--env', 'dev']]])('shows help on stderr without a command: %j', async (args) => {
  expect(await runCommand(args)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Usage: npx --no-install crcs /),
  });
});

const unknownId = '00000000-0000-4000-8000-000000000000';
const onlySecret =
  'The local service supports only "notifications secret". To try notifications, send the form of the example site.';
const names = environmentNames.join(', ');

it.each<readonly [args: readonly string[], line: string]>([
  [['tokns', 'list'], 'Unknown command \'tokns\'. Did you mean tokens? Run "npx --no-install crcs --help".'],
  [
    ['contacts', 'list', '--spm'],
    'Unknown option \'--spm\'. Did you mean --spam? Run "npx --no-install crcs contacts list --help".',
  ],
  // The value of an unknown option may be somebody's address.
  [
    ['contacts', 'erase', '--emial=ada@example.com'],
    'Unknown option \'--emial\'. Run "npx --no-install crcs contacts erase --help".',
  ],
  [
    ['contacts', 'erase', 'ada@example.com'],
    'Too many arguments for \'erase\'. Expected 0 arguments but got 1. Run "npx --no-install crcs contacts erase --help".',
  ],
  // Both errors in one line.
  [
    ['tokens', 'issue', '--name=-', '--allow', 'some', '--expires', 'soon'],
    `--allow: Unknown permission "some". Use all, or a list with commas: ${permissions.join(', ')}. --expires: Use whole minutes, hours, days or weeks, such as 30m, 12h, 90d or 2w.`,
  ],
  [
    ['contacts', 'show', 'a\r\nb\u202e'],
    '<id>: "a  b " is not an id. To see the ids, run "npx --no-install crcs contacts list".',
  ],
  [['notifications', 'test'], onlySecret],
  [['notifications', 'redrive'], onlySecret],
  [['notifications', 'rotate', 'Webhook1a2b3c4d'], onlySecret],
  [
    ['doctor'],
    'The doctor checks only deployed environments. Name one, as in "npx --no-install crcs doctor --env prod".',
  ],
  [['tokens', 'list', '--env', 'qa'], `Unknown environment "qa": use ${names}.`],
  [['tokens', 'list', '--env', 'prd'], `Unknown environment "prd": use ${names}. Did you mean prod?`],
])('explains an error in one line: %j', async (args, line) => {
  expect(await runCommand(args, { openEnvironment: openAsProgram })).toEqual(refusal(line));
});

/** A token with one wrong option. */
const wrongToken = (...option: readonly string[]) => [
  'tokens',
  'issue',
  '--name',
  'script',
  '--allow',
  'all',
  ...option,
];

/** What is wrong, by what the message names. */
const wrong: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "Unknown command 'lst'": [['tokens', 'lst']],
  "Unknown option '-x'": [['contacts', 'list', '-x=ada@example.com']],
  "Option '--env <name>'": [['tokens', 'list', '--env']],
  "Option '--stack <name>'": [['tokens', 'list', '--stack', 'old', '--env', 'dev']],
  "Missing required argument 'name|id'": [['tokens', 'revoke']],
  '"a b"': [['tokens', 'list', '--stack', 'a b']],
  'Unknown environment ""': [['tokens', 'list', '--env=']],
  '<id>: ': [
    ['campaigns', 'rename', 'spring-sale', 'summer-sale'],
    ['campaigns', 'remove', 'spring-sale'],
  ],
  '<name>: ': [
    ...[' ', '😀'.repeat(201)].map((name) => ['campaigns', 'add', name]),
    ...['a\u0007', 'one\ntwo', '\ud800'].map((name) => ['campaigns', 'rename', unknownId, name]),
  ],
  '--name: ': [' ', 'x'.repeat(101)].map((name) => wrongToken('--name', name)),
  '--expires: ': ['0d', '-1d', '1.5d', '90', '100000w', '2y'].map((expires) => wrongToken(`--expires=${expires}`)),
  '--grace: ': [['tokens', 'rotate', 'script', '--grace=-1h']],
  '--since: ': [
    ['contacts', 'list', '--since', '2026-02-30T00:00:00Z'],
    ['contacts', 'list', '--since', '2026-02-20T00:00:00'],
  ],
  '--until: ': [['contacts', 'list', '--until', '1']],
  '--site: ': [['contacts', 'list', '--site', 'www.example.com']],
  '--form: ': [' ', 'a\u0007b', 'x'.repeat(65)].map((form) => ['contacts', 'list', '--form', form]),
  '--limit: ': ['0', 'abc', '1.5', '1000000000'].map((limit) => ['contacts', 'list', '--limit', limit]),
  '--campaign: ': [['contacts', 'list', '--campaign', ' ']],
  '--output: ': [
    ['contacts', 'export', '--output', ''],
    ['contacts', 'files', unknownId, '--output', ''],
  ],
  '--format: ': [['contacts', 'export', '--format', 'xlsx']],
  '--email: ': [['contacts', 'erase', '--email', 'ada']],
  '--phone: ': [['contacts', 'erase', '--phone', '00(0)']],
  'Give --email, --phone or both.': [['contacts', 'erase', '--yes']],
  'Give --since and --until only with --count.': [['campaigns', 'list', '--since', '1d']],
  'Give an id to delete one contact request, or at least one of --since, ': [
    ['contacts', 'delete'],
    ['contacts', 'delete', '--yes'],
    ['contacts', 'delete', '--spam'],
    ['contacts', 'delete', unknownId, '--spam', '--since', '1d'],
    ['contacts', 'delete', unknownId, '--form', 'sales'],
    ['contacts', 'delete', unknownId, '--until', '1d'],
  ],
};

it.each(Object.entries(wrong))('says in one line what is wrong: %s', async (start, calls) => {
  for (const args of calls) {
    const { code, stdout, stderr } = await runCommand(args, { openEnvironment: openAsProgram });
    expect({ code, stdout, lines: lines(stderr).length }, args.join(' ')).toEqual({ code: 1, stdout: '', lines: 1 });
    expect(stderr.startsWith(start), stderr).toBe(true);
    expect(stderr).not.toContain('ada@');
  }
});

const all = ['Email1a2b3c4d', 'Webhook5e6f7a8b'] as const;
const site = 'https://www.example.com';
const id = 'string';
const time = 'string';
const text = 'string';
const number = 'number';
const token = { id, name: text, permissions: [text], createdAt: time };
const contact = { id, createdAt: time, email: text, message: text, site: text, extra: { topic: text } };
const copied = { from: text, to: text, read: number, copied: number };

describe('in an environment', () => {
  let deployed: DeployedEnvironment;
  beforeEach(async () => {
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    deployed = await startDeployed(all);
    let looks = 0;
    Object.assign(deployed.responses, {
      'sqs:GetQueueAttributes': () => ({ Attributes: { QueueArn: 'arn:one', ApproximateNumberOfMessages: '1' } }),
      'sqs:StartMessageMoveTask': () => ({ TaskHandle: 'one' }),
      'sqs:ListMessageMoveTasks': () => {
        looks += 1;
        return { Results: [{ Status: 'COMPLETED', StartedTimestamp: looks, ApproximateNumberOfMessagesMoved: 1 }] };
      },
      'secretsmanager:GetSecretValue': () => ({ SecretString: 'one', CreatedDate: 0 }),
      'secretsmanager:PutSecretValue': () => ({}),
      'lambda:InvokeFunction': () => ({ delivered: true, milliseconds: 1 }),
      'cloudformation:ListStackResources': () => ({ StackResourceSummaries: [] }),
      'ses:GetConfigurationSet': () => ({ SendingOptions: { SendingEnabled: true } }),
    });
  });

  /** Stores a contact request with a file. */
  const storeWithFile = async (): Promise<string> => {
    const buckets = await startBuckets('files');
    vi.stubEnv('AWS_ENDPOINT_URL_S3', buckets.url);
    deployed.outputs['FilesBucket'] = 'files';
    const withFile = await store(deployed, {});
    await buckets.attach(deployed.tables.contacts, withFile, [sentFile('cv.pdf', 'x')]);
    return withFile;
  };

  /** The values of the placeholders in a call. */
  const seed = async (call: string): Promise<Readonly<Record<string, string>>> => {
    const fields = { email: 'ada@example.com', extra: { topic: 'A question' } };
    await deployed.staff(['tokens', 'issue', '--name', 'script', '--allow', 'contacts:read']);
    const { contacts: ContactsTable, campaigns: CampaignsTable, tokens: TokensTable } = deployed.tables;
    deployed.stacks['ContactService-old'] = { ContactsTable, CampaignsTable, TokensTable };
    Object.assign(deployed.outputs, { ConfirmFunction: 'confirm', ConfirmationSet: 'confirmations' });
    return {
      '<campaign>': (await deployed.staff(['campaigns', 'add', 'Spring'])).stdout.trim(),
      '<contact>': await store(deployed, fields, { site }),
      '<spam>': await store(deployed, fields, { site, spam: true }),
      '<folder>': temporaryFolder(),
      ...(call.includes('<file>') && { '<file>': await storeWithFile() }),
    };
  };

  interface Row {
    readonly call: string;
    /** The keys of what `--json` prints, with the types of their values. */
    readonly json: unknown;
    /** The command first says in which account and region it changes something. */
    readonly writes?: boolean;
    /** The last progress on a terminal. */
    readonly progress?: string;
    readonly code?: number;
  }

  /** Scripts depend on each row. */
  const rows: readonly Row[] = [
    {
      call: 'tokens issue --name cron --allow contacts:read --expires 90d',
      json: { ...token, expiresAt: time, token: text },
      writes: true,
    },
    { call: 'tokens list', json: [token] },
    { call: 'tokens revoke script', json: { name: text, revoked: number }, writes: true },
    {
      call: 'tokens rotate script --grace 12h',
      json: { ...token, token: text, previousExpiresAt: time },
      writes: true,
    },
    { call: 'campaigns add Winter', json: { id, name: text }, writes: true },
    { call: 'campaigns rename <campaign> Summer', json: { id, name: text }, writes: true },
    { call: 'campaigns remove <campaign>', json: { id }, writes: true },
    { call: 'campaigns list', json: [{ id, name: text }] },
    {
      call: 'campaigns list --count --since 2026-01-01',
      json: [{ id, name: text, count: number }],
      progress: '1 contact request read',
    },
    { call: `contacts list --since 2026-03-01 --until 2026-03-02 --site ${site} --limit 1`, json: [contact] },
    { call: 'contacts show <contact>', json: contact },
    {
      call: 'contacts files <file> --output <folder>',
      json: [{ name: text, type: text, size: number, state: text, path: text }],
      progress: '1 file written',
    },
    { call: 'contacts delete <contact>', json: { id }, writes: true },
    {
      call: `contacts delete --spam --since 2026-01-01 --site ${site} --yes`,
      json: { found: number, deleted: number, left: number },
      writes: true,
      progress: '1 contact request deleted',
    },
    { call: 'contacts release <spam>', json: [{ id, releasedAt: time }], writes: true },
    { call: 'contacts answered <contact>', json: [{ id, answeredAt: time, answeredBy: text }], writes: true },
    {
      call: 'contacts erase --email ada@example.com --yes',
      json: {
        environment: text,
        time,
        by: [text],
        backupsEnd: time,
        found: number,
        erased: number,
        left: number,
        searched: [text],
        notSearched: [text],
        ids: [id],
      },
      writes: true,
      progress: '2 contact requests deleted',
    },
    {
      call: 'contacts apply-retention --yes',
      json: {
        environment: text,
        retentionDays: 'null',
        forms: [],
        changed: number,
        gone: number,
        missed: number,
      },
      writes: true,
      progress: '2 contact requests read',
    },
    {
      call: 'notifications test',
      json: [{ target: text, to: text, delivered: 'boolean', milliseconds: number }],
    },
    {
      call: 'notifications redrive',
      json: { environment: text, messages: number, moved: number },
      writes: true,
      progress: '1 notification moved',
    },
    { call: 'notifications secret', json: [{ target: text, url: text, secret: text }] },
    {
      call: 'notifications rotate Webhook5e6f7a8b',
      json: { target: text, url: text, secret: text, previousSignsUntil: time },
      writes: true,
    },
    {
      call: 'confirmations resume',
      json: { environment: text, resumed: 'boolean' },
      writes: true,
    },
    {
      call: 'tables copy --from ContactService-old',
      json: { contacts: copied, campaigns: copied, tokens: copied },
      writes: true,
      progress: '2 contact requests read',
    },
    {
      call: 'doctor',
      json: {
        environment: text,
        checks: number,
        findings: [{ check: text, what: text, severity: text, remedy: text }],
      },
      code: 1,
    },
  ];

  /** The keys of a value with the types of what they hold; of a list, those of its first item. */
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
    if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
  };

  it.each(rows)(
    '$call: prints JSON, shows progress on a terminal, and says what it writes to',
    async ({ call, json, writes = false, progress, code = 0 }) => {
      const seeded = await seed(call);
      const args = call.split(' ').map((word) => seeded[word] ?? word);
      const outcome = await deployed.run([...args, '--json'], { terminals: ['stderr'] });
      expect({ code: outcome.code, json: shapeOf(JSON.parse(outcome.stdout)) }).toEqual({ code, json });
      expect(outcome.stderr.startsWith(where)).toBe(writes);
      if (progress !== undefined) expect(outcome.stderr).toContain(`\r\u001b[K${progress}\r\u001b[K`);
    },
  );

  it('has a row for each command that prints JSON and works on a deployed environment', () => {
    const missing = commands.filter((name) => !rows.some(({ call }) => `${call} `.startsWith(`${name} `)));
    expect(missing).toEqual(['contacts export', 'secrets set', 'secrets list', 'backup']);
  });

  it('accepts --env before the command, and values that begin with a dash', async () => {
    expect(await deployed.staff(['--env', 'local', 'tokens', 'revoke', '--', '-x'])).toMatchObject({
      stderr: 'There is no token named "-x". Run "npx --no-install crcs tokens list" to see all.\n',
    });
  });

  it('closes the environment, even after an error', async () => {
    const seen: unknown[] = [];
    const options = { opening: (choice: object) => seen.push(choice), closing: () => seen.push('closed') };
    await deployed.staff(['--stack', 'ContactService-old', 'tokens', 'list'], options);
    await deployed.staff(['tokens', 'revoke', 'nobody'], options);
    expect(seen).toEqual([{ stack: 'ContactService-old' }, 'closed', {}, 'closed']);
  });

  it('does nothing if Ctrl-C came while the environment was being opened', async () => {
    const stopped = new AbortController();
    const options = { opening: () => stopped.abort(), signal: stopped.signal };
    expect(await deployed.staff(['campaigns', 'add', 'Spring'], options)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Stopped before the end.\n',
    });
    expect(await deployed.everything()).toEqual([[], [], []]);
  });
});
