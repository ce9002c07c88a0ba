import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type DeployedEnvironment, startDeployed, where } from './deployed.ts';
import { environmentNames, lines, openAsProgram, opened, refusal, runCommand, store } from './staff.ts';

const commandsIn = (help: string) =>
  [...(help.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}(\S+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');

const helpOf = async (...words: readonly string[]) => (await runCommand([...words, '--help'])).stdout;

const groups = commandsIn(await helpOf());
const commands: string[] = [];
for (const group of groups) {
  const names = commandsIn(await helpOf(group));
  commands.push(...(names.length === 0 ? [group] : names.map((name) => `${group} ${name}`)));
}

it('shows the groups of commands and the environments', async () => {
  const { code, stdout, stderr } = await runCommand(['--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npx crcs \[options\] \[command\]\n/);
  expect(stdout).toContain(`one of ${environmentNames.join(', ')} (default: local)\n`);
  expect(stdout).toMatch(/^ {2}campaigns +add, rename, remove, list, import$/m);
});

it.each(commands)('shows help in 80 columns, with an example that works: %s', async (name) => {
  const stdout = await helpOf(...name.split(' '));
  expect(lines(stdout).filter((line) => line.length > 80)).toEqual([]);
  const [, example = ''] = /^Example:\n {2}npx crcs (.+)$/m.exec(stdout) ?? [];
  expect(example).toMatch(new RegExp(`^${name}\\b`));
  const args = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  expect(await runCommand(args)).toMatchObject({ code: 1, stderr: opened });
});

it('shows the version', async () => {
  expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

it.each([[[]], [['tokens']], [['--env', 'dev']]])('shows help on stderr without a command: %j', async (args) => {
  expect(await runCommand(args)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^Usage: npx crcs /) });
});

const unknownId = '00000000-0000-4000-8000-000000000000';
const times =
  'Use a time such as 2026-01-31T12:00:00Z, a date such as 2026-01-31, or how long ago, such as 7d, 12h or 30m.';
const origin = 'Must have scheme and host, as in https://www.example.com.';
const onlySecret =
  'On local, "notifications" has only "secret": to try notifications, send the form of the example site.';
/** A token with one wrong option. */
const wrongToken = (option: readonly string[]) => ['tokens', 'issue', '--name', 'script', '--allow', 'all', ...option];

it.each<readonly [args: readonly string[], line: string]>([
  [['tokns', 'list'], 'Unknown command \'tokns\'. Did you mean tokens? "npx crcs --help" shows how.'],
  [['toke\nns'], 'Unknown command \'toke ns\'. Did you mean tokens? "npx crcs --help" shows how.'],
  [['tokens', 'lst'], 'Unknown command \'lst\'. Did you mean list? "npx crcs tokens --help" shows how.'],
  [
    ['contacts', 'list', '--spm'],
    'Unknown option \'--spm\'. Did you mean --spam? "npx crcs contacts list --help" shows how.',
  ],
  // The value of an unknown option may be somebody's address.
  [['contacts', 'list', '-x=ada@example.com'], 'Unknown option \'-x\'. "npx crcs contacts list --help" shows how.'],
  [
    ['contacts', 'erase', '--emial=ada@example.com'],
    'Unknown option \'--emial\'. "npx crcs contacts erase --help" shows how.',
  ],
  [
    ['contacts', 'erase', 'ada@example.com'],
    'Too many arguments for \'erase\'. Expected 0 arguments but got 1. "npx crcs contacts erase --help" shows how.',
  ],
  [['tokens', 'list', '--env'], 'Option \'--env <name>\' argument missing. "npx crcs --help" shows how.'],
  [
    ['tokens', 'list', '--stack', 'old', '--env', 'dev'],
    "Option '--stack <name>' cannot be used with option '--env <name>'. \"npx crcs tokens list --help\" shows how.",
  ],
  [['tokens', 'revoke'], 'Missing required argument \'name\'. "npx crcs tokens revoke --help" shows how.'],
  [
    ['tokens', 'issue', '--name=-', '--allow', 'some', '--expires', 'soon'],
    '--allow: Unknown permission "some": use contacts:read, contacts:delete, campaigns:read, separated by commas, or all. --expires: Use whole minutes, hours, days or weeks, such as 30m, 12h, 90d or 2w.',
  ],
  [['contacts', 'show', 'a\r\nb\u202e'], '<id>: "a  b " is not a UUID.'],
  [wrongToken(['--name', ' ']), '--name: A token needs a name.'],
  [wrongToken(['--name', 'x'.repeat(101)]), '--name: A token name has 100 characters at most.'],
  [wrongToken(['--name', 'a\nb']), '--name: A token name is one line of text.'],
  [
    wrongToken(['--allow', '']),
    '--allow: Unknown permission "": use contacts:read, contacts:delete, campaigns:read, separated by commas, or all.',
  ],
  ...['0d', '-1d', '1.5d', '90', '100000w', '2y'].map(
    (expires) =>
      [
        wrongToken([`--expires=${expires}`]),
        '--expires: Use whole minutes, hours, days or weeks, such as 30m, 12h, 90d or 2w.',
      ] as const,
  ),
  [
    ['tokens', 'rotate', 'script', '--grace=-1h'],
    '--grace: Use whole minutes, hours, days or weeks, such as 30m, 12h, 7d or 2w, or 0h for none.',
  ],
  [['campaigns', 'add', ' '], '<name>: A campaign needs a name.'],
  [['campaigns', 'add', 'x'.repeat(201)], '<name>: A campaign name has 200 characters at most.'],
  [['campaigns', 'rename', unknownId, 'a\u0007'], '<name>: A campaign name is one line of text.'],
  [['contacts', 'list', '--since', '2026-02-30T00:00:00Z', '--until', '1'], `--since: ${times} --until: ${times}`],
  [['contacts', 'list', '--site', 'www.example.com'], `--site: ${origin}`],
  [['contacts', 'list', '--site', 'ftp://www.example.com'], `--site: ${origin}`],
  [['contacts', 'list', '--limit', '0'], '--limit: Must be 1 or greater.'],
  [['contacts', 'export', '--output', ''], '--output: Must name a file.'],
  [['contacts', 'export', '--format', 'xlsx'], '--format: Must be csv or jsonl.'],
  [['contacts', 'delete', '--spam'], 'Give an id, or --spam with --since.'],
  [['contacts', 'delete', '--since', '1d'], 'Give an id, or --spam with --since.'],
  [['contacts', 'delete', unknownId, '--spam', '--since', '1d'], 'Give an id, or --spam with --since.'],
  [['contacts', 'delete', unknownId, '--yes'], 'Give an id, or --spam with --since.'],
  [
    ['contacts', 'erase', '--email', 'ada'],
    '--email: Must be an email address, or - to give it on the standard input.',
  ],
  [
    ['contacts', 'erase', '--phone', '00(0)'],
    '--phone: Must be a phone number, or - to give it on the standard input.',
  ],
  [['contacts', 'erase', '--yes'], 'Name a person by --email or --phone.'],
  [['notifications', 'test'], onlySecret],
  [['notifications', 'redrive'], onlySecret],
  [['notifications', 'rotate', 'Webhook1a2b3c4d'], onlySecret],
  [['doctor'], 'The doctor is for deployed environments: name one, as in "npx crcs doctor --env prod".'],
  [['tokens', 'list', '--env', 'qa'], `Unknown environment "qa": use ${environmentNames.join(', ')}.`],
  [['tokens', 'list', '--env='], `Unknown environment "": use ${environmentNames.join(', ')}.`],
  [['tokens', 'list', '--stack', 'a b'], '"a b" is not a stack name: "npx cdk list" shows the stacks of the settings.'],
])('explains a mistake in one line: %j', async (args, line) => {
  const outcome = await runCommand(args, { openEnvironment: openAsProgram });
  expect(outcome).toEqual(refusal(line));
});

const all = ['Email1a2b3c4d', 'Webhook5e6f7a8b'] as const;
const webhook = 'Webhook5e6f7a8b';
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
    Object.assign(deployed.answers, {
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
    });
  });

  const contactWith = (options: Parameters<typeof store>[2] = {}) =>
    store(deployed, { email: 'ada@example.com', extra: { topic: 'A question' } }, { site, ...options });
  const issue = () => deployed.staff(['tokens', 'issue', '--name', 'script', '--allow', 'contacts:read']);
  const addCampaign = async () => (await deployed.staff(['campaigns', 'add', 'Spring'])).stdout.trim();

  interface Row {
    readonly command: string;
    /** Arguments of a call that shows something. */
    readonly args: () => Promise<readonly string[]>;
    /** The keys of what `--json` prints, with the types of their values. */
    readonly json: unknown;
    /** The command says first in which account and region it changes something. */
    readonly writes?: boolean;
    /** What a terminal shows last while the command works. */
    readonly progress?: string;
    readonly code?: number;
  }

  /** Scripts depend on each row. */
  const rows: readonly Row[] = [
    {
      command: 'tokens issue',
      args: async () => ['--name', 'cron', '--allow', 'contacts:read', '--expires', '90d'],
      json: { ...token, expiresAt: time, token: text },
      writes: true,
    },
    {
      command: 'tokens list',
      args: async () => {
        await issue();
        return [];
      },
      json: [token],
    },
    {
      command: 'tokens revoke',
      args: async () => {
        await issue();
        return ['script'];
      },
      json: { name: text, revoked: number },
      writes: true,
    },
    {
      command: 'tokens rotate',
      args: async () => {
        await issue();
        return ['script', '--grace', '12h'];
      },
      json: { ...token, token: text, previousExpiresAt: time },
      writes: true,
    },
    { command: 'campaigns add', args: async () => ['Spring'], json: { id, name: text }, writes: true },
    {
      command: 'campaigns rename',
      args: async () => [await addCampaign(), 'Summer'],
      json: { id, name: text },
      writes: true,
    },
    { command: 'campaigns remove', args: async () => [await addCampaign()], json: { id }, writes: true },
    {
      command: 'campaigns list',
      args: async () => {
        await addCampaign();
        return [];
      },
      json: [{ id, name: text }],
    },
    {
      command: 'campaigns import',
      args: async () => {
        const csv = join(tmpdir(), `commands-${process.pid}.csv`);
        await writeFile(csv, 'name\nAutumn\n');
        return [csv];
      },
      json: { added: number, renamed: number, unchanged: number },
      writes: true,
      progress: '1 campaign written',
    },
    {
      command: 'contacts list',
      args: async () => {
        await contactWith();
        return ['--since', '2026-03-01', '--until', '2026-03-02', '--site', site, '--limit', '1'];
      },
      json: [contact],
    },
    { command: 'contacts show', args: async () => [await contactWith()], json: contact },
    { command: 'contacts delete', args: async () => [await contactWith()], json: { id }, writes: true },
    {
      command: 'contacts delete',
      args: async () => {
        await contactWith({ spam: true });
        return ['--spam', '--since', '2026-01-01', '--site', site, '--yes'];
      },
      json: { found: number, deleted: number, left: number },
      writes: true,
      progress: '1 contact request deleted',
    },
    {
      command: 'contacts release',
      args: async () => [await contactWith({ spam: true })],
      json: [{ id, releasedAt: time }],
      writes: true,
    },
    {
      command: 'contacts erase',
      args: async () => {
        await contactWith();
        return ['--email', 'ada@example.com', '--yes'];
      },
      json: { environment: text, time, backupsEnd: time, found: number, erased: number, left: number, ids: [id] },
      writes: true,
      progress: '1 contact request deleted',
    },
    {
      command: 'contacts apply-retention',
      args: async () => {
        await contactWith();
        return ['--yes'];
      },
      json: { environment: text, retentionDays: 'null', changed: number, gone: number, young: number, missed: number },
      writes: true,
      progress: '1 contact request read',
    },
    {
      command: 'notifications test',
      args: async () => [],
      json: [{ target: text, to: text, delivered: 'boolean', milliseconds: number }],
      progress: '2 targets answered',
    },
    {
      command: 'notifications redrive',
      args: async () => [],
      json: { environment: text, messages: number, moved: number },
      writes: true,
      progress: '1 notification moved',
    },
    { command: 'notifications secret', args: async () => [], json: [{ target: text, url: text, secret: text }] },
    {
      command: 'notifications rotate',
      args: async () => [webhook],
      json: { target: text, url: text, secret: text, previousSignsUntil: time },
      writes: true,
    },
    {
      command: 'tables copy',
      args: async () => {
        await contactWith();
        const { contacts: ContactsTable, campaigns: CampaignsTable, tokens: TokensTable } = deployed.tables;
        deployed.stacks['ContactService-old'] = { ContactsTable, CampaignsTable, TokensTable };
        return ['--from', 'ContactService-old'];
      },
      json: { contacts: copied, campaigns: copied, tokens: copied },
      writes: true,
      progress: '1 contact request read',
    },
    {
      command: 'doctor',
      args: async () => [],
      json: {
        environment: text,
        checks: number,
        findings: [{ check: text, what: text, severity: text, remedy: text }],
      },
      progress: '6 checks made',
      code: 1,
    },
  ];

  /** The keys of a value with the types of what they hold; of a list, those of its first item. */
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
    if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
  };

  it('has a row for each command', () => {
    expect(new Set(rows.map(({ command }) => command))).toEqual(
      new Set(commands.filter((name) => name !== 'contacts export')),
    );
  });

  it.each(rows)(
    '$command prints JSON, shows progress on a terminal, and says what it writes to',
    async ({ command, args, json, writes = false, progress, code = 0 }) => {
      const call = [...command.split(' '), ...(await args()), '--json'];
      const outcome = await deployed.run(call, { terminals: ['stderr'] });
      expect({ code: outcome.code, json: shapeOf(JSON.parse(outcome.stdout)) }).toEqual({ code, json });
      expect(outcome.stderr.startsWith(where)).toBe(writes);
      if (progress !== undefined) expect(outcome.stderr).toContain(`\r\u001b[K${progress}\r\u001b[K`);
    },
  );

  it('accepts --env before the command, and values that begin with a dash', async () => {
    expect(await deployed.staff(['--env', 'local', 'tokens', 'revoke', '--', '-x'])).toMatchObject({
      stderr: 'There is no token named "-x": "tokens list" shows all.\n',
    });
  });

  it('closes the environment, also after a mistake', async () => {
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
