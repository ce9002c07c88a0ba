import { beforeEach, describe, expect, it } from 'vitest';
import { tokenStore } from '../../../functions/tokens/store.ts';
import { permissions } from '../../../lib/infrastructure/endpoints.ts';
import { issueToken } from '../../../lib/staff/tokens/tokens.ts';
import { client } from '../../support/tables.ts';
import { lines, now, type StaffService, startStaff } from '../staff.ts';

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
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Keep this token: it is shown this once.\n' });
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
      stderr: 'There is a token named "script": revoke it first or choose another name.\n',
    });
    expect(await staff.everything()).toEqual(before);
  });

  it.each([
    [
      ['--name', 'script'],
      'Missing: --allow. Usage: tokens issue --name <name> --allow <permission,…|all> [--expires 90d]',
    ],
    [
      ['--allow', 'all'],
      'Missing: --name. Usage: tokens issue --name <name> --allow <permission,…|all> [--expires 90d]',
    ],
    [['--name', ' ', '--allow', 'all'], '--name: A token needs a name.'],
    [['--name', 'x'.repeat(101), '--allow', 'all'], '--name: A token name has 100 characters at most.'],
    [['--name', 'a\nb', '--allow', 'all'], '--name: A token name is one line of text.'],
    [
      ['--name', 'script', '--allow', 'contacts:read,contacts:write'],
      `--allow: Unknown permission "contacts:write": choose from ${permissions.join(', ')}, separated by commas, or all.`,
    ],
    [
      ['--name', 'script', '--allow', ''],
      `--allow: Unknown permission "": choose from ${permissions.join(', ')}, separated by commas, or all.`,
    ],
    ...['0d', '-1d', '1.5d', '90', 'd', '1000000d', '2w'].map((expires) => [
      ['--name', 'script', '--allow', 'all', `--expires=${expires}`],
      '--expires: Use whole days or hours, such as 90d or 12h.',
    ]),
  ])('refuses %j', async (args, line) => {
    expect(await staff.run(['tokens', 'issue', ...args])).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('is at hand for other code', async () => {
    const table = { client, table: staff.tables.tokens };
    const expiresAt = new Date('2026-03-02T00:00:00Z');
    const token = await issueToken(table, { name: 'seed', permissions: ['campaigns:read'], expiresAt, now });
    expect(await find(token)).toMatchObject({ name: 'seed', expiresAt: '2026-03-02T00:00:00.000Z' });
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
    expect(header).toEqual(['NAME', 'ID', 'PERMISSIONS', 'CREATED', 'EXPIRES']);
    expect(cron).toEqual([
      'cron',
      expect.stringMatching(/^[0-9a-f]{12}$/),
      'contacts:read',
      now.toISOString(),
      'never',
    ]);
    expect(web).toEqual([
      'web',
      record?.tokenHash.slice(0, 12),
      permissions.join(','),
      now.toISOString(),
      'expired 2026-03-01T14:00:00.000Z',
    ]);
    expect(more).toEqual([]);
  });

  it('says when a token will expire', async () => {
    await issue('web', '--expires', '2h');
    expect((await staff.run(['tokens', 'list'])).stdout).toMatch(/ {2}2026-03-01T14:00:00.000Z\n$/);
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
      stderr: 'There is no token named "cron": "tokens list" shows those there are.\n',
    });
    expect(await staff.everything()).toEqual(before);
  });
});
