import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { serve, type TestServer } from '../support/server.ts';
import { stackWith } from './stack.ts';
import { openAsProgram, runCommand, type StaffService, startStaff } from './staff.ts';
import { store } from './stored.ts';

/** The tables of a stack `dev`, and those of another stack. */
let staff: StaffService;
let other: StaffService;
let aws: TestServer;
let moves: number;
const csv = join(tmpdir(), `commands-${process.pid}.csv`);
const webhook = 'Webhook1a2b3c4d';

/** What AWS answers, by operation; everything else is denied. */
const answers: Readonly<Record<string, () => unknown>> = {
  GetQueueAttributes: () => ({ Attributes: { QueueArn: 'arn:dead-letters', ApproximateNumberOfMessages: '1' } }),
  StartMessageMoveTask: () => ({ TaskHandle: 'one' }),
  ListMessageMoveTasks: () => {
    moves += 1;
    const task = { Status: 'COMPLETED', StartedTimestamp: moves, ApproximateNumberOfMessagesMoved: 1 };
    return { Results: [task] };
  },
  GetSecretValue: () => ({ SecretString: 'one', CreatedDate: 0 }),
  PutSecretValue: () => ({}),
  Invoke: () => ({ delivered: true, milliseconds: 1 }),
};

const outputsOf = ({ tables }: StaffService) => ({
  ContactsTable: tables.contacts,
  CampaignsTable: tables.campaigns,
  TokensTable: tables.tokens,
  NotifyFunction: 'notify',
  DeadLetters: `${aws.url}/123456789012/dead-letters`,
  FanOutFailures: `${aws.url}/123456789012/fan-out-failures`,
  [`Notify${webhook}`]: JSON.stringify({
    name: webhook,
    kind: 'webhook',
    address: 'https://crm.example.com/…',
    secret: 'arn:one',
    queue: `${aws.url}/123456789012/webhook`,
  }),
});

beforeAll(async () => {
  [staff, other] = [await startStaff(), await startStaff()];
  moves = 0;
  aws = await serve((request, response, body) => {
    const [, operation = request.url?.endsWith('/invocations') ? 'Invoke' : ''] = String(
      request.headers['x-amz-target'] ?? '',
    ).split('.');
    const form = new URLSearchParams(body.toString());
    const name = form.get('StackName') ?? '';
    if (form.get('Action') === 'DescribeStacks') {
      const outputs = outputsOf(name === 'ContactService-dev' ? staff : other);
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end(stackWith(outputs, { name }));
    } else if (form.get('Action') === 'ListStackResources') {
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end('<ListStackResourcesResponse/>');
    } else {
      const answer = answers[operation]?.();
      response
        .writeHead(answer ? 200 : 400, { 'Content-Type': 'application/x-amz-json-1.0' })
        .end(JSON.stringify(answer ?? { __type: 'AccessDeniedException', message: 'denied' }));
    }
  });
  vi.stubEnv('AWS_ENDPOINT_URL', aws.url);
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws[Symbol.asyncDispose]();
  await rm(csv, { force: true });
});

const run = (...args: readonly string[]) => runCommand([...args, '--env', 'dev'], { openEnvironment: openAsProgram });

/** The keys of a value and the types of what they hold; of a list, those of its first item. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
};

const text = 'string';
const number = 'number';

const token = { id: text, name: text, permissions: [text], createdAt: text };
const contact = { id: text, createdAt: text, email: text, message: text, site: text, extra: { topic: text } };
const copied = { from: text, to: text, read: number, copied: number };

const site = 'https://www.example.com';
const fields = { email: 'ada@example.com', message: 'Hello', extra: { topic: 'A question' } };
const contactWith = (options: Parameters<typeof store>[2] = {}) => store(staff, fields, { site, ...options });

const issue = async () => {
  await run('tokens', 'revoke', 'script');
  await run('tokens', 'issue', '--name', 'script', '--allow', 'contacts:read');
};
const campaign = async () => {
  const name = `Campaign ${Math.random()}`;
  return JSON.parse((await run('campaigns', 'add', name, '--json')).stdout).id;
};

interface Row {
  readonly command: string;
  /** Its options, besides those of every command. */
  readonly options: readonly string[];
  /** Arguments of a call that shows something. */
  readonly call: () => Promise<readonly string[]>;
  /** The shape of what `--json` prints. @defaultValue the command has no such option */
  readonly json?: unknown;
  /** @defaultValue 0 */
  readonly code?: number;
}

/** Scripts depend on each row. */
const rows: readonly Row[] = [
  {
    command: 'tokens issue',
    options: ['--name', '--allow', '--expires', '--json'],
    call: async () => {
      await run('tokens', 'revoke', 'cron');
      return ['--name', 'cron', '--allow', 'contacts:read', '--expires', '90d'];
    },
    json: { ...token, expiresAt: text, token: text },
  },
  {
    command: 'tokens list',
    options: ['--json'],
    call: async () => {
      await run('tokens', 'revoke', 'cron');
      await issue();
      return [];
    },
    json: [token],
  },
  {
    command: 'tokens revoke',
    options: ['--json'],
    call: async () => {
      await issue();
      return ['script'];
    },
    json: { name: text, revoked: number },
  },
  {
    command: 'tokens rotate',
    options: ['--grace', '--json'],
    call: async () => {
      await issue();
      return ['script', '--grace', '12h'];
    },
    json: { ...token, token: text, previousExpiresAt: text },
  },
  {
    command: 'campaigns add',
    options: ['--json'],
    call: async () => ['Spring'],
    json: { id: text, name: text },
  },
  {
    command: 'campaigns rename',
    options: ['--json'],
    call: async () => [await campaign(), 'Summer'],
    json: { id: text, name: text },
  },
  { command: 'campaigns remove', options: ['--json'], call: async () => [await campaign()], json: { id: text } },
  {
    command: 'campaigns list',
    options: ['--json'],
    call: async () => {
      await campaign();
      return [];
    },
    json: [{ id: text, name: text }],
  },
  {
    command: 'campaigns import',
    options: ['--json'],
    call: async () => {
      await writeFile(csv, 'name\nAutumn\n');
      return [csv];
    },
    json: { added: number, renamed: number, unchanged: number },
  },
  {
    command: 'contacts list',
    options: ['--since', '--until', '--site', '--spam', '--limit', '--json'],
    call: async () => {
      await contactWith({ createdAt: new Date('2026-02-01T00:00:00Z') });
      return ['--since', '2026-02-01', '--until', '2026-02-02', '--site', site, '--limit', '1'];
    },
    json: [contact],
  },
  {
    command: 'contacts show',
    options: ['--json'],
    call: async () => [await contactWith()],
    json: contact,
  },
  {
    command: 'contacts delete',
    options: ['--spam', '--since', '--site', '--yes', '--json'],
    call: async () => [await contactWith()],
    json: { id: text },
  },
  {
    command: 'contacts delete',
    options: ['--spam', '--since', '--site', '--yes', '--json'],
    call: async () => {
      await contactWith({ spam: true });
      return ['--spam', '--since', '2026-01-01', '--site', site, '--yes'];
    },
    json: { found: number, deleted: number, left: number },
  },
  {
    command: 'contacts release',
    options: ['--json'],
    call: async () => [await contactWith({ spam: true }), await contactWith({ spam: true })],
    json: [{ id: text, releasedAt: text }],
  },
  {
    command: 'contacts export',
    options: ['--since', '--until', '--site', '--spam', '--email', '--phone', '--format', '--output'],
    call: async () => {
      await contactWith({ createdAt: new Date('2026-02-01T00:00:00Z') });
      return ['--email', 'ada@example.com', '--since', '2026-02-01', '--until', '2026-02-02', '--format', 'jsonl'];
    },
  },
  {
    command: 'contacts erase',
    options: ['--email', '--phone', '--yes', '--json'],
    call: async () => {
      await contactWith();
      return ['--email', 'ada@example.com', '--yes'];
    },
    json: {
      environment: text,
      time: text,
      backupsEnd: text,
      found: number,
      erased: number,
      left: number,
      ids: [text],
    },
  },
  {
    command: 'contacts apply-retention',
    options: ['--yes', '--json'],
    call: async () => ['--yes'],
    json: { environment: text, retentionDays: 'null', changed: number, gone: number, young: number, missed: number },
  },
  {
    command: 'notifications test',
    options: ['--json'],
    call: async () => [],
    json: [{ target: text, to: text, delivered: 'boolean', milliseconds: number }],
  },
  {
    command: 'notifications redrive',
    options: ['--json'],
    call: async () => [],
    json: { environment: text, messages: number, moved: number },
  },
  {
    command: 'notifications secret',
    options: ['--json'],
    call: async () => [webhook],
    json: [{ target: text, url: text, secret: text }],
  },
  {
    command: 'notifications rotate',
    options: ['--json'],
    call: async () => [webhook],
    json: { target: text, url: text, secret: text, previousSignsUntil: text },
  },
  {
    command: 'tables copy',
    options: ['--from', '--json'],
    call: async () => ['--from', 'ContactService-old'],
    json: expect.objectContaining({
      contacts: expect.objectContaining(copied),
      campaigns: expect.objectContaining(copied),
      tokens: expect.objectContaining(copied),
    }),
  },
  {
    command: 'doctor',
    options: ['--json'],
    call: async () => [],
    json: expect.objectContaining({ findings: [{ check: text, what: text, severity: text, remedy: text }] }),
    code: 1,
  },
];

it.each(rows)('$command takes its options', async ({ command, options }) => {
  const { code, stdout } = await runCommand([...command.split(' '), '--help']);
  const shown = [...stdout.matchAll(/^ {2}(?:-h, )?(--[a-z]+)/gm)].map(([, option]) => option);
  expect({ code, options: shown.toSorted() }).toEqual({
    code: 0,
    options: [...options, '--env', '--stack', '--help', '--version'].toSorted(),
  });
});

it.each(rows.filter(({ json }) => json !== undefined))(
  '$command prints JSON of its shape',
  async ({ command, call, json, code = 0 }) => {
    const ended = await run(...command.split(' '), ...(await call()), '--json');
    expect({ ...ended, stdout: shapeOf(JSON.parse(ended.stdout)) }).toEqual({
      code,
      stdout: json,
      stderr: expect.any(String),
    });
  },
);

it('exports each contact request as a line of JSON', async () => {
  const { call } = rows.find(({ command }) => command === 'contacts export') ?? {};
  const { stdout } = await run('contacts', 'export', ...((await call?.()) ?? []));
  expect(shapeOf(JSON.parse(stdout.split('\n', 1)[0] ?? ''))).toEqual(contact);
});

it('exports CSV with a column for each field', async () => {
  await contactWith();
  const { stdout } = await run('contacts', 'export');
  expect(stdout.split('\r\n', 1)).toEqual([
    'id,createdAt,email,phone,company,message,firstName,lastName,site,releasedAt,extra',
  ]);
});
