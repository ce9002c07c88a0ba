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

/** Puts programs on the path: a staff command that lists `contacts` and knows the targets of each, and the AWS CLI. */
const putPrograms = (contacts: readonly object[], targets: Readonly<Record<string, object>>) => {
  putJson('list', contacts);
  for (const [id, reached] of Object.entries(targets)) putJson(id, reached);
  // Like the real ones, they may read standard input, in which the other contact requests wait.
  putProgram(
    'npx',
    '[[ $4 == list ]] || cat >/dev/null',
    `[[ $4 == list ]] && cat "${folder}/list" || cat "${folder}/$6"`,
  );
  putProgram('aws', 'cat >/dev/null');
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

const sentIn = (calls: readonly (readonly string[])[]) =>
  calls
    .filter(([service]) => service === 'sqs')
    .map(([, command, ...options]) => [command, options[1], JSON.parse(options[3] ?? '')]);

it('docs/send-notifications.sh sends a message to the queue of each target that a contact request reaches', () => {
  const createdAt = '2026-01-31T08:30:00.000Z';
  const releasedAt = '2026-01-31T08:45:00.000Z';
  const all = { target: 'All', to: 'all@example.com', reached: true, queue: 'https://sqs/all' };
  const sales = { target: 'Sales', to: 'sales@example.com', reached: true, queue: 'https://sqs/sales' };
  putPrograms(
    [
      { id: 'one', createdAt },
      { id: 'two', createdAt: '2026-01-01T00:00:00.000Z', releasedAt },
    ],
    { one: [all, sales], two: [all, { ...sales, reached: false, unmet: 'where' }] },
  );

  expect(run(stack, since, until)).toEqual({ status: 0, stderr: '' });

  const calls = callsOf();
  const crcs = ['--no-install', 'crcs'];
  expect(calls).toContainEqual([
    ...crcs,
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
  expect(calls).toContainEqual([...crcs, 'notifications', 'test', '--for', 'two', '--json', '--stack', stack]);
  expect(sentIn(calls)).toEqual([
    ['send-message', 'https://sqs/all', { target: 'All', id: 'one', listedAt: createdAt }],
    ['send-message', 'https://sqs/sales', { target: 'Sales', id: 'one', listedAt: createdAt }],
    ['send-message', 'https://sqs/all', { target: 'All', id: 'two', listedAt: releasedAt }],
  ]);
});

it('docs/send-notifications.sh fails and sends nothing if it cannot read the targets or the contact requests', () => {
  const createdAt = '2026-01-31T08:30:00.000Z';
  putPrograms([{ id: 'one', createdAt }], {});
  expect(run(stack, since, until).status).not.toBe(0);
  putProgram('npx', 'exit 1');
  expect(run(stack, since, until).status).not.toBe(0);
  expect(sentIn(callsOf())).toEqual([]);
});

it('docs/send-notifications.sh says what to write if an argument is missing', () => {
  expect(run(stack, since)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`ContactService-prod ${since} ${until}`),
  });
});
