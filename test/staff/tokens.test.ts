import { beforeEach, describe, expect, it } from 'vitest';
import { hashToken, tokenIdOf } from '../../functions/tokens/token.ts';
import { tokenStore } from '../../functions/tokens/token-store.ts';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import { failingAt } from '../support/relayed-clients.ts';
import { client, putAll } from '../support/tables.ts';
import { lines, now, type RunOptions, refusal, type StaffService, startStaff } from './staff.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const run = (args: readonly string[], options?: RunOptions) => staff.run(['tokens', ...args], options);
/** Issues a token that may do everything. @returns the token */
const issue = async (name = 'script', ...more: string[]) =>
  (await run(['issue', '--name', name, '--allow', 'all', ...more])).stdout.trim();
const rotate = (...more: string[]) => run(['rotate', 'script', ...more]);
const find = (token: string) => tokenStore(client, staff.tables.tokens).find(token.trim());

describe('tokens issue', () => {
  it('prints a token that works, alone on a line of stdout, and stores what it may do', async () => {
    const allow = 'campaigns:read, contacts:read,campaigns:read';
    const { code, stdout, stderr } = await run(['issue', '--name', ' Newsletter script ', '--allow', allow]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Save this token: it is shown only once.\n' });
    expect(stdout).toMatch(/^crcs_[A-Za-z0-9_-]{43}\n$/);
    expect(await find(stdout)).toEqual({
      tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: 'Newsletter script',
      permissions: ['campaigns:read', 'contacts:read'],
      createdAt: now.toISOString(),
    });
  });

  it('does not store the token itself', async () => {
    const token = await issue();
    expect(JSON.stringify(await staff.everything())).not.toContain(token.slice('crcs_'.length));
  });

  it.each([
    ['90d', '2026-05-30T12:00:00.000Z'],
    ['99999w', '3942-09-06T12:00:00.000Z'],
  ])('lets the token expire after %s', async (expires, expiresAt) => {
    expect(await find(await issue('script', '--expires', expires))).toMatchObject({ expiresAt });
  });

  it('refuses a name that a token has', async () => {
    await issue('script');
    const before = await staff.everything();
    expect(await run(['issue', '--name', 'script ', '--allow', 'all'])).toEqual(
      refusal('There is already a token named "script": rotate it or choose another name.'),
    );
    expect(await staff.everything()).toEqual(before);
  });
});

it('lists by name what each token may do and until when, and no token', async () => {
  const web = await find(await issue('web', '--expires', '2h'));
  await run(['issue', '--name', 'cron', '--allow', 'contacts:read']);
  const list = async (at: Date) => lines((await run(['list'], { now: at })).stdout).map((line) => line.split(/ {2,}/));
  const end = '2026-03-01T14:00:00.000Z';
  expect(await list(now)).toEqual([
    ['NAME', 'ID', 'EXPIRES', 'CREATED', 'PERMISSIONS'],
    ['cron', expect.stringMatching(/^[0-9a-f]{12}$/), 'never', now.toISOString(), 'contacts:read'],
    ['web', web?.tokenHash.slice(0, 12), end, now.toISOString(), permissions.join(',')],
  ]);
  expect((await list(new Date(end)))[2]?.[2]).toBe(`expired ${end}`);
});

it.each([80, 100])(
  'shows every permission, the expiry and the whole name on a terminal of %s columns',
  async (columns) => {
    const name = `npm start, ${now.toISOString()}`;
    const { tokenHash = '' } = (await find(await issue(name, '--expires', '2h'))) ?? {};
    const list = async (at: Date) => lines((await run(['list'], { terminals: ['stdout'], columns, now: at })).stdout);
    const [head, ...rows] = await list(now);
    const [first = '', ...others] = permissions;
    const width = Math.max(...permissions.map(({ length }) => length));
    expect(head).toMatch(/^ID +PERMISSIONS +EXPIRES +CREATED +NAME$/);
    expect(rows).toEqual([
      `${tokenHash.slice(0, 12)}  ${first.padEnd(width)}  2026-03-01 14:00Z  2026-03-01  ${name}`,
      ...others.map((permission) => `${' '.repeat(14)}${permission}`),
    ]);
    expect((await list(new Date('2026-03-02')))[1]).toContain('  expired 2026-03-01  2026-03-01  npm');
  },
);

it('says on stderr that there is no token, and how to issue one', async () => {
  const stderr =
    'No tokens found. To issue one: npx --no-install crcs tokens issue --name "CRM sync" --allow contacts:read --env local\n';
  expect(await run(['list'])).toEqual({ code: 0, stdout: 'NAME  ID  EXPIRES  CREATED  PERMISSIONS\n', stderr });
  expect(await run(['list'], { terminals: ['stdout'] })).toEqual({ code: 0, stdout: '', stderr });
  expect(await run(['list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

describe('an unreadable token', () => {
  beforeEach(async () => {
    const expiresAt = '+021192-03-21T22:40:13.877Z';
    const item = { tokenHash: 'f'.repeat(64), name: 'script', listPartition: 'tokens', expiresAt };
    await putAll(staff.tables.tokens, [item]);
  });

  it('does not hide the other tokens in the list', async () => {
    await issue('web');
    const { code, stdout, stderr } = await run(['list']);
    expect({ code, names: lines(stdout).map((line) => line.split(' ')[0]) }).toEqual({
      code: 0,
      names: ['NAME', 'web'],
    });
    expect(stderr).toMatch(/^Left out the token script: its item is unreadable/);
  });

  it('keeps its name and cannot be rotated, until it is revoked', async () => {
    const before = await staff.everything();
    expect(await issue()).toBe('');
    expect(await rotate()).toEqual(refusal('The token "script" is unreadable: revoke it and issue another.'));
    expect(await staff.everything()).toEqual(before);
    expect(await run(['revoke', 'script'])).toMatchObject({ code: 0, stderr: '' });
    expect(await issue()).not.toBe('');
  });
});

describe('tokens rotate', () => {
  it('prints a successor of the same name and permissions; the earlier token ends after a day', async () => {
    const { stdout: old } = await run(['issue', '--name', 'script', '--allow', 'contacts:read']);
    const other = await issue('other');
    const later = new Date('2026-04-01T00:00:00.000Z');
    const { code, stdout, stderr } = await run(['rotate', ' script '], { now: later });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Save this token: it is shown only once. The old token works until 2026-04-02T00:00:00.000Z.\n',
    });
    const both = { name: 'script', permissions: ['contacts:read'], tokenHash: expect.any(String) };
    expect(await find(stdout)).toEqual({ ...both, createdAt: later.toISOString() });
    expect(await find(old)).toEqual({
      ...both,
      createdAt: now.toISOString(),
      expiresAt: '2026-04-02T00:00:00.000Z',
    });
    expect(await find(other)).not.toHaveProperty('expiresAt');
  });

  it.each([
    ['for its grace', [], ['--grace', '2h'], '2026-03-01T14:00:00.000Z'],
    ['no longer than it would have', ['--expires', '1h'], [], '2026-03-01T13:00:00.000Z'],
  ])('lets the earlier token work %s', async (_, issuing, rotating, expiresAt) => {
    const old = await issue('script', ...issuing);
    expect(await rotate(...rotating)).toMatchObject({ stderr: expect.stringContaining(`works until ${expiresAt}.`) });
    expect(await find(old)).toMatchObject({ expiresAt });
  });

  it('removes the earlier token at once if there is no grace', async () => {
    const old = await issue();
    expect(await rotate('--grace', '0h')).toMatchObject({
      stderr: 'Save this token: it is shown only once. The old token stops working within 60 seconds.\n',
    });
    expect(await find(old)).toBeUndefined();
  });

  it('issues a successor of an expired token with the same lifetime, and removes the expired one', async () => {
    const old = await issue('script', '--expires', '1h');
    const { stdout } = await run(['rotate', 'script'], { now: new Date('2026-03-02T00:00:00.000Z') });
    expect(await find(stdout)).toMatchObject({ expiresAt: '2026-03-02T01:00:00.000Z' });
    expect(await find(old)).toBeUndefined();
  });

  it.each(['PutItem', 'UpdateItem'])(
    'leaves the earlier token as it is if %s fails; the next run ends it',
    async (at) => {
      const old = await issue();
      expect(await run(['rotate', 'script'], { client: failingAt(at) })).toEqual(refusal('Failed: The line is cut.'));
      expect(await find(old)).not.toHaveProperty('expiresAt');
      await rotate();
      expect(await find(old)).toMatchObject({ expiresAt: '2026-03-02T12:00:00.000Z' });
    },
  );

  it('refuses a name that no token has', async () => {
    expect(await run(['rotate', 'nobody'])).toEqual(
      refusal('There is no token named "nobody". Run "npx --no-install crcs tokens list" to see all.'),
    );
    expect(await staff.everything()).toEqual([[], [], []]);
  });
});

describe('tokens revoke', () => {
  it('removes the token of that name and no other', async () => {
    const gone = await issue('web');
    const left = await issue('web 2');
    expect(await run(['revoke', 'web'])).toEqual({
      code: 0,
      stdout: 'Revoked the token "web". It stops working within 60 seconds.\n',
      stderr: '',
    });
    expect(await find(gone)).toBeUndefined();
    expect(await find(left)).toMatchObject({ name: 'web 2' });
  });

  it('removes both tokens of a name after a rotation', async () => {
    const tokens = [await issue(), (await rotate()).stdout];
    expect(await run(['revoke', 'script'])).toMatchObject({
      stdout: 'Revoked 2 tokens named "script". They stop working within 60 seconds.\n',
    });
    expect(await Promise.all(tokens.map(find))).toEqual([undefined, undefined]);
  });

  it('removes only the token with that id, whatever others have its name', async () => {
    const old = await issue();
    const { stdout: successor } = await rotate();
    expect(await run(['revoke', tokenIdOf(hashToken(old))])).toMatchObject({
      stdout: 'Revoked the token "script". It stops working within 60 seconds.\n',
    });
    expect(await find(old)).toBeUndefined();
    expect(await find(successor)).toMatchObject({ name: 'script' });
  });

  it('takes a text for a name before it takes it for an id', async () => {
    const first = await issue('web');
    const second = await issue(tokenIdOf(hashToken(first)));
    await run(['revoke', tokenIdOf(hashToken(first))]);
    expect(await find(first)).toMatchObject({ name: 'web' });
    expect(await find(second)).toBeUndefined();
  });

  it('refuses a name that no token has', async () => {
    await issue('web');
    const before = await staff.everything();
    expect(await run(['revoke', 'cron'])).toEqual(
      refusal('There is no token named "cron". Run "npx --no-install crcs tokens list" to see all.'),
    );
    expect(await staff.everything()).toEqual(before);
  });
});
