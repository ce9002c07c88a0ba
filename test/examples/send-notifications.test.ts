import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = join(import.meta.dirname, '..', '..', 'docs', 'send-notifications.sh');

const hasBashAndJq =
  process.platform !== 'win32' && spawnSync('bash', ['-c', 'command -v jq'], { stdio: 'ignore' }).status === 0;

let folder: string;
beforeEach((context) => {
  folder = mkdtempSync(join(tmpdir(), 'examples-'));
  context.skip(!hasBashAndJq, 'this machine lacks bash or jq');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a program on the path that records its arguments, one call a line, and then runs the lines. */
const putProgram = (name: string, ...lines: readonly string[]) => {
  const file = join(folder, name);
  const record = `jq -cn '$ARGS.positional' --args -- "$@" >>"${join(folder, 'calls')}"`;
  writeFileSync(file, ['#!/usr/bin/env bash', record, ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
};

const putJson = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));

/** Puts an AWS CLI on the path that knows these targets. */
const putTargets = (targets: object) => {
  putJson('cloudformation', [{ PhysicalResourceId: 'FanOut-1' }]);
  putJson('lambda', JSON.stringify(targets));
  // Like the real one, it may read standard input, in which the other messages wait.
  putProgram('aws', `[[ $1 == sqs ]] && cat >/dev/null || cat "${folder}/$1"`);
};

const run = (...args: readonly string[]) => {
  const path = `${folder}${delimiter}${process.env['PATH']}`;
  const { status, stderr } = spawnSync('bash', [script, ...args], { env: { ...process.env, PATH: path } });
  return { status, stderr: stderr.toString() };
};

const callsOf = () =>
  readFileSync(join(folder, 'calls'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => v.parse(v.array(v.string()), JSON.parse(line)));

const stack = 'ContactService-shop-prod';
const since = '2026-01-31T08:00:00Z';
const until = '2026-01-31T09:00:00Z';

it('docs/send-notifications.sh sends a message to the queue of each target whose conditions a contact request meets', () => {
  putTargets({
    All: { url: 'https://sqs/all' },
    Sales: { url: 'https://sqs/sales', forms: ['sales'] },
    Shop: { url: 'https://sqs/shop', forms: ['sales', 'contact'], sites: ['https://shop.example.com'] },
    Spam: { url: 'https://sqs/spam', spam: true },
  });
  const createdAt = '2026-01-31T08:30:00.000Z';
  const releasedAt = '2026-01-31T08:45:00.000Z';
  putJson('contacts', [
    { id: 'one', createdAt, form: 'sales', site: 'https://www.example.com' },
    { id: 'two', createdAt, form: 'contact', site: 'https://shop.example.com' },
    { id: 'three', createdAt: '2026-01-01T00:00:00.000Z', releasedAt },
  ]);
  putProgram('npx', `cat "${join(folder, 'contacts')}"`);

  expect(run(stack, since, until)).toEqual({ status: 0, stderr: '' });

  const calls = callsOf();
  expect(calls).toContainEqual([
    '--no-install',
    'crcs',
    'contacts',
    'list',
    '--json',
    '--since',
    since,
    '--until',
    until,
    '--stack',
    stack,
  ]);
  const optionOf = (service: string, name: string) => {
    const call = calls.find(([first]) => first === service) ?? [];
    return call[call.indexOf(name) + 1];
  };
  expect(optionOf('cloudformation', '--stack-name')).toBe(stack);
  expect(optionOf('lambda', '--function-name')).toBe('FanOut-1');
  const sent = calls.filter(([service]) => service === 'sqs');
  expect(sent.map(([, command, ...options]) => [command, options[1], JSON.parse(options[3] ?? '')])).toEqual([
    ['send-message', 'https://sqs/all', { target: 'All', id: 'one', listedAt: createdAt }],
    ['send-message', 'https://sqs/sales', { target: 'Sales', id: 'one', listedAt: createdAt }],
    ['send-message', 'https://sqs/all', { target: 'All', id: 'two', listedAt: createdAt }],
    ['send-message', 'https://sqs/shop', { target: 'Shop', id: 'two', listedAt: createdAt }],
    ['send-message', 'https://sqs/all', { target: 'All', id: 'three', listedAt: releasedAt }],
  ]);
});

it('docs/send-notifications.sh fails and sends nothing if it cannot read the targets or the contact requests', () => {
  putJson('contacts', [{ id: 'one', createdAt: '2026-01-31T08:30:00.000Z' }]);
  putProgram('npx', `cat "${join(folder, 'contacts')}"`);
  putProgram('aws', 'echo "[]"');
  expect(run(stack, since, until).status).not.toBe(0);

  putTargets({ All: { url: 'https://sqs/all' } });
  putProgram('npx', 'exit 1');
  expect(run(stack, since, until).status).not.toBe(0);

  expect(callsOf().filter(([service]) => service === 'sqs')).toEqual([]);
});

it('docs/send-notifications.sh says what to write if an argument is missing', () => {
  expect(run(stack, since)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`ContactService-prod ${since} ${until}`),
  });
});
