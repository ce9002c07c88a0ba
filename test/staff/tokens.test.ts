import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { tokenStore } from '../../functions/tokens/store.ts';
import { hashToken } from '../../functions/tokens/token.ts';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import { client, putAll } from '../support/tables.ts';
import { lines, now, type StaffService, startStaff } from './staff.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const issue = (name: string, ...more: string[]) =>
  staff.run(['tokens', 'issue', '--name', name, '--allow', 'all', ...more]);
const find = (token: string) => tokenStore(client, staff.tables.tokens).find(token);

describe('tokens issue', () => {
  it('prints a token that works, alone on a line of stdout, and stores what it may do', async () => {
    const { code, stdout, stderr } = await staff.run([
      'tokens',
      'issue',
      '--name',
      ' Newsletter script ',
      '--allow',
      'campaigns:read, contacts:read,campaigns:read',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Keep this token: it is shown only once.\n' });
    expect(stdout).toMatch(/^crcs_[A-Za-z0-9_-]{43}\n$/);
    expect(await find(stdout.trim())).toEqual({
      tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: 'Newsletter script',
      permissions: ['campaigns:read', 'contacts:read'],
      createdAt: '2026-03-01T12:00:00.000Z',
    });
  });

  it('stores the token itself nowhere', async () => {
    const { stdout } = await issue('script');
    expect(JSON.stringify(await staff.everything())).not.toContain(stdout.trim().slice('crcs_'.length));
  });

  it('allows everything with "all"', async () => {
    const { stdout } = await issue('script');
    expect(await find(stdout.trim())).toMatchObject({
      permissions,
    });
  });

  it.each([
    ['90d', '2026-05-30T12:00:00.000Z'],
    ['1h', '2026-03-01T13:00:00.000Z'],
    ['99999w', '3942-09-06T12:00:00.000Z'],
  ])('lets it expire after %s', async (expires, expiresAt) => {
    const { stdout } = await issue('script', '--expires', expires);
    expect(await find(stdout.trim())).toMatchObject({ expiresAt });
  });

  it('refuses a name that a token has', async () => {
    await issue('script');
    const before = await staff.everything();
    expect(await issue('script ')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is already a token named "script": rotate it or choose another name.\n',
    });
    expect(await staff.everything()).toEqual(before);
  });

  it.each([
    [
      ['--name', 'script'],
      'Required option \'--allow <permission,…|all>\' not specified. "npx crcs tokens issue --help" shows how.',
    ],
    [
      ['script', '--allow', 'all'],
      'Required option \'--name <name>\' not specified. Did you mean --name script? "npx crcs tokens issue --help" shows how.',
    ],
    [['--name', ' ', '--allow', 'all'], '--name: A token needs a name.'],
    [['--name', 'x'.repeat(101), '--allow', 'all'], '--name: A token name has 100 characters at most.'],
    [['--name', 'a\nb', '--allow', 'all'], '--name: A token name is one line of text.'],
    [
      ['--name', 'script', '--allow', 'contacts:read,contacts:write'],
      `--allow: Unknown permission "contacts:write": use ${permissions.join(', ')}, separated by commas, or all.`,
    ],
    [
      ['--name', 'script', '--allow', ''],
      `--allow: Unknown permission "": use ${permissions.join(', ')}, separated by commas, or all.`,
    ],
    ...['0d', '-1d', '1.5d', '90', 'd', '100000w', '2y'].map((expires) => [
      ['--name', 'script', '--allow', 'all', `--expires=${expires}`],
      '--expires: Use whole minutes, hours, days or weeks, such as 30m, 12h, 90d or 2w.',
    ]),
  ])('refuses %j', async (args, line) => {
    expect(await staff.run(['tokens', 'issue', ...args])).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect(await staff.everything()).toEqual([[], [], []]);
  });
});

describe('tokens list', () => {
  it('lists by name what each may do and until when, and no token', async () => {
    const { stdout: token } = await issue('web', '--expires', '2h');
    await staff.run(['tokens', 'issue', '--name', 'cron', '--allow', 'contacts:read']);
    const record = await find(token.trim());
    const list = await staff.run(['tokens', 'list'], { now: new Date('2026-03-01T14:00:00.000Z') });
    expect(list).toMatchObject({ code: 0, stderr: '' });
    const [header, cron, web, ...more] = lines(list.stdout).map((line) => line.split(/ {2,}/));
    expect(header).toEqual(['NAME', 'ID', 'EXPIRES', 'CREATED', 'PERMISSIONS']);
    expect(cron).toEqual([
      'cron',
      expect.stringMatching(/^[0-9a-f]{12}$/),
      'never',
      now.toISOString(),
      'contacts:read',
    ]);
    expect(web).toEqual([
      'web',
      record?.tokenHash.slice(0, 12),
      'expired 2026-03-01T14:00:00.000Z',
      now.toISOString(),
      permissions.join(','),
    ]);
    expect(more).toEqual([]);
  });

  it('shows when a token will expire', async () => {
    await issue('web', '--expires', '2h');
    expect((await staff.run(['tokens', 'list'])).stdout).toMatch(/ {2}2026-03-01T14:00:00.000Z {2}/);
  });
});

describe('a token that cannot be read', () => {
  const tokenHash = 'f'.repeat(64);
  beforeEach(async () => {
    await issue('web');
    const expiresAt = '+021192-03-21T22:40:13.877Z';
    await putAll(staff.tables.tokens, [{ tokenHash, name: 'script', listPartition: 'tokens', expiresAt }]);
  });

  it('hides no other in the list', async () => {
    const { code, stdout, stderr } = await staff.run(['tokens', 'list', '--json']);
    expect({ code, names: JSON.parse(stdout).map(({ name }: { name: string }) => name) }).toEqual({
      code: 0,
      names: ['web'],
    });
    expect(stderr).toMatch(/^Left out the token script: its item cannot be read/);
  });

  it('is revoked like any other', async () => {
    expect(await staff.run(['tokens', 'revoke', 'script'])).toMatchObject({ code: 0, stderr: '' });
    expect(await issue('script')).toMatchObject({ code: 0 });
  });

  it('keeps its name and is not rotated', async () => {
    const before = await staff.everything();
    expect(await issue('script')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is already a token named'),
    });
    expect(await staff.run(['tokens', 'rotate', 'script'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The token "script" cannot be read: revoke it and issue another.\n',
    });
    expect(await staff.everything()).toEqual(before);
  });
});

const record = (id: string, more: object = {}) => ({
  id,
  name: 'script',
  permissions: [...permissions],
  createdAt: now.toISOString(),
  ...more,
});
const idOf = (token: string) => hashToken(token.trim()).slice(0, 12);
const json = async (...args: string[]) => JSON.parse((await staff.run([...args, '--json'])).stdout);
/** When each token of the list ends. */
const ends = async () =>
  (await json('tokens', 'list')).map(({ id, expiresAt }: { id: string; expiresAt?: string }) => [id, expiresAt]);

describe('--json', () => {
  it('gives a program what is issued, listed and revoked', async () => {
    const { token, ...issued } = await json('tokens', 'issue', '--name', 'script', '--allow', 'all', '--expires', '1h');
    expect(issued).toEqual(record(idOf(token), { expiresAt: '2026-03-01T13:00:00.000Z' }));
    expect(await find(token)).toMatchObject({ name: 'script' });
    expect(await json('tokens', 'list')).toEqual([issued]);
    expect(await json('tokens', 'revoke', 'script')).toEqual({ name: 'script', revoked: 1 });
    expect(await json('tokens', 'list')).toEqual([]);
  });

  it('keeps hints on stderr', async () => {
    expect(await issue('script', '--json')).toMatchObject({ stderr: 'Keep this token: it is shown only once.\n' });
  });
});

describe('tokens rotate', () => {
  const rotate = (...more: string[]) => staff.run(['tokens', 'rotate', 'script', ...more]);

  it('prints another token of the same name and permissions, and lets the one before end after a day', async () => {
    const { stdout: old } = await staff.run(['tokens', 'issue', '--name', 'script', '--allow', 'contacts:read']);
    await issue('other');
    const later = new Date('2026-04-01T00:00:00.000Z');
    const { code, stdout, stderr } = await staff.run(['tokens', 'rotate', ' script '], { now: later });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Keep this token: it is shown only once. The earlier one works until 2026-04-02T00:00:00.000Z.\n',
    });
    expect(stdout).toMatch(/^crcs_[A-Za-z0-9_-]{43}\n$/);
    expect(await find(stdout.trim())).toEqual({
      tokenHash: expect.any(String),
      name: 'script',
      permissions: ['contacts:read'],
      createdAt: later.toISOString(),
    });
    expect(await find(old.trim())).toMatchObject({
      permissions: ['contacts:read'],
      createdAt: now.toISOString(),
      expiresAt: '2026-04-02T00:00:00.000Z',
    });
    expect((await json('tokens', 'list')).map(({ name }: { name: string }) => name)).toEqual([
      'other',
      'script',
      'script',
    ]);
  });

  it('lets the new one work for as long as the one before from its beginning', async () => {
    await issue('script', '--expires', '90d');
    const { stdout } = await staff.run(['tokens', 'rotate', 'script'], { now: new Date('2026-05-01T12:00:00.000Z') });
    expect(await find(stdout.trim())).toMatchObject({ expiresAt: '2026-07-30T12:00:00.000Z' });
  });

  it('tells a program of the new token and until when the one before works', async () => {
    const { stdout: old } = await issue('script');
    const { token, previousExpiresAt, ...told } = JSON.parse((await rotate('--grace', '2h', '--json')).stdout);
    expect(told).toEqual(record(idOf(token)));
    expect(previousExpiresAt).toBe('2026-03-01T14:00:00.000Z');
    expect(await find(old.trim())).toMatchObject({ expiresAt: previousExpiresAt });
  });

  it('lets none work longer than it would have', async () => {
    const { stdout: old } = await issue('script', '--expires', '1h');
    expect(await rotate()).toMatchObject({ stderr: expect.stringContaining('works until 2026-03-01T13:00:00.000Z.') });
    expect(await find(old.trim())).toMatchObject({ expiresAt: '2026-03-01T13:00:00.000Z' });
  });

  it('takes the one before away at once where there is no grace', async () => {
    const { stdout: old } = await issue('script');
    const { stdout, stderr } = await rotate('--grace', '0h');
    expect(stderr).toBe('Keep this token: it is shown only once. The earlier one stops working within 60 seconds.\n');
    expect(await find(old.trim())).toBeUndefined();
    expect(await ends()).toEqual([[idOf(stdout), undefined]]);
  });

  it('takes away what has expired, so that there are two of a name at most', async () => {
    const days = [1, 2, 3, 4].map((day) => new Date(`2026-04-0${day}T00:00:00.000Z`));
    await issue('script');
    const rotated: string[] = [];
    for (const day of days) rotated.push((await staff.run(['tokens', 'rotate', 'script'], { now: day })).stdout);
    expect((await ends()).toSorted()).toEqual(
      [
        [idOf(rotated[2] ?? ''), '2026-04-05T00:00:00.000Z'],
        [idOf(rotated[3] ?? ''), undefined],
      ].toSorted(),
    );
  });

  it('makes a working token of one that has expired', async () => {
    const { stdout: old } = await issue('script', '--expires', '1h');
    const later = new Date('2026-03-02T00:00:00.000Z');
    const { stdout, stderr } = await staff.run(['tokens', 'rotate', 'script'], { now: later });
    expect(stderr).toMatch(/ The earlier one stops working within 60 seconds\.\n$/);
    expect(await find(stdout.trim())).toMatchObject({ expiresAt: '2026-03-02T01:00:00.000Z' });
    expect(await find(old.trim())).toBeUndefined();
  });

  it.each(['PutItem', 'UpdateItem'])('that ends at %s leaves the old token as it was; the next ends it', async (at) => {
    const { stdout: old } = await issue('script');
    const failing = new DynamoDBClient({ endpoint: inject('dynamoDbEndpoint') });
    failing.middlewareStack.add((next, { commandName }) => async (args) => {
      if (commandName === `${at}Command`) throw new Error('The line is cut.');
      return next(args);
    });
    const ended = await staff.run(['tokens', 'rotate', 'script'], { client: DynamoDBDocumentClient.from(failing) });
    expect(ended).toEqual({ code: 1, stdout: '', stderr: 'Failed: The line is cut.\n' });
    expect(await find(old.trim())).not.toHaveProperty('expiresAt');

    const { stdout } = await rotate();
    expect(await find(old.trim())).toMatchObject({ expiresAt: '2026-03-02T12:00:00.000Z' });
    expect((await ends()).filter(([, end]: [string, string?]) => end === undefined)).toEqual([
      [idOf(stdout), undefined],
    ]);
  });

  it('revokes both with the name', async () => {
    const { stdout: old } = await issue('script');
    const { stdout } = await rotate();
    expect(await staff.run(['tokens', 'revoke', 'script'])).toEqual({
      code: 0,
      stdout: 'Revoked 2 tokens "script": they stop working within 60 seconds.\n',
      stderr: '',
    });
    expect([await find(old.trim()), await find(stdout.trim())]).toEqual([undefined, undefined]);
  });

  it.each([
    [['nobody'], 'There is no token named "nobody": "tokens list" shows all.'],
    [
      ['script', '--grace', '1y'],
      '--grace: Use whole minutes, hours, days or weeks, such as 30m, 12h, 7d or 2w, or 0h for none.',
    ],
    [
      ['script', '--grace=-1h'],
      '--grace: Use whole minutes, hours, days or weeks, such as 30m, 12h, 7d or 2w, or 0h for none.',
    ],
  ])('changes nothing when it refuses %j', async (args, line) => {
    await issue('script');
    const before = await staff.everything();
    expect(await staff.run(['tokens', 'rotate', ...args])).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect(await staff.everything()).toEqual(before);
  });
});

describe('tokens revoke', () => {
  it('takes the token of that name away and leaves the others', async () => {
    const { stdout: gone } = await issue('web');
    const { stdout: left } = await issue('web 2');
    expect(await staff.run(['tokens', 'revoke', 'web'])).toEqual({
      code: 0,
      stdout: 'Revoked the token "web": it stops working within 60 seconds.\n',
      stderr: '',
    });
    expect(await find(gone.trim())).toBeUndefined();
    expect(await find(left.trim())).toMatchObject({ name: 'web 2' });
  });

  it('refuses a name that no token has', async () => {
    await issue('web');
    const before = await staff.everything();
    expect(await staff.run(['tokens', 'revoke', 'cron'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no token named "cron": "tokens list" shows all.\n',
    });
    expect(await staff.everything()).toEqual(before);
  });
});
