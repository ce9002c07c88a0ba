import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { releaseContact } from '../../lib/staff/contact-table.ts';
import { startRelay } from '../support/relay.ts';
import { client } from '../support/tables.ts';
import { pressCtrlCAt } from './ctrl-c.ts';
import { now, type RunOptions, type StaffService, startStaff } from './staff.ts';
import { store } from './stored.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const day = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(now.getTime() - days * day);
const seconds = (time: Date) => time.getTime() / 1000;

const apply = (retentionDays: number | undefined, options: RunOptions = {}, ...args: string[]) =>
  staff.run(['contacts', 'apply-retention', ...args], { retentionDays, ...options });

const applyAll = (retentionDays: number | undefined, options: RunOptions = {}) =>
  apply(retentionDays, options, '--yes');

const item = v.object({ id: v.string(), expiresAt: v.optional(v.number()) });

/** When each expires, by its id. */
const expiries = async () => {
  const [contacts] = v.parse(v.tuple([v.array(item), v.unknown(), v.unknown()]), await staff.everything());
  return Object.fromEntries(contacts.map(({ id, expiresAt }) => [id, expiresAt]));
};

const created = (days: number, more: object = {}) => store(staff, {}, { createdAt: daysAgo(days), ...more });

describe('contacts apply-retention', () => {
  it('sets, moves and lifts the expiry of what is there, spam too', async () => {
    const none = await created(10);
    const sooner = await created(10, { expiresAt: daysAgo(-5) });
    const spam = await created(20, { spam: true });
    expect(await applyAll(90)).toEqual({ code: 0, stdout: 'Changed 3 contact requests in local.\n', stderr: '' });
    const [ten, twenty] = [seconds(daysAgo(10 - 90)), seconds(daysAgo(20 - 90))];
    expect(await expiries()).toEqual({ [none]: ten, [sooner]: ten, [spam]: twenty });

    expect(await applyAll(90)).toMatchObject({ stdout: 'Changed 0 contact requests in local.\n' });
    expect(await applyAll(undefined)).toMatchObject({ stdout: 'Changed 3 contact requests in local.\n' });
    expect(await expiries()).toEqual({ [none]: undefined, [sooner]: undefined, [spam]: undefined });
  });

  it('lets what is older expire at once, at a time at which DynamoDB still deletes it, and wakes nothing that has expired', async () => {
    const old = await created(3000);
    const expired = await created(100, { expiresAt: daysAgo(1) });
    expect(await applyAll(30)).toMatchObject({
      stdout: 'Changed 1 contact request in local; 1 of them expired at once.\n',
    });
    expect(await expiries()).toEqual({ [old]: seconds(now), [expired]: seconds(daysAgo(1)) });
    await applyAll(undefined);
    expect(await expiries()).toEqual({ [old]: seconds(now), [expired]: seconds(daysAgo(1)) });
  });

  it('leaves what is younger than an hour, also by its release: targets would be told again', async () => {
    const minutes = (ago: number) => ({ createdAt: new Date(now.getTime() - ago * 60_000) });
    const [young, old] = [await store(staff, {}, minutes(60)), await store(staff, {}, minutes(62))];
    const released = await created(5, { spam: true });
    await staff.run(['contacts', 'release', released]);
    expect(await applyAll(30)).toEqual({
      code: 0,
      stdout: 'Changed 1 contact request in local.\n',
      stderr: 'Left 2 contact requests of the last 61 minutes, which would notify again: run it later.\n',
    });
    expect(await expiries()).toEqual({
      [young]: undefined,
      [released]: undefined,
      [old]: seconds(new Date(now.getTime() - 62 * 60_000 + 30 * day)),
    });
  });

  it('asks first', async () => {
    await created(40);
    const before = await staff.everything();
    const effect = 'local has retentionDays 30: older contact requests will be deleted for good.\n';
    expect(await apply(30)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${effect}Nothing was changed: add --yes to go on without a question.\n`,
    });
    expect(await staff.everything()).toEqual(before);
    expect(await apply(30, { terminals: ['stdin'], input: 'y\n' })).toEqual({
      code: 0,
      stdout: 'Changed 1 contact request in local; 1 of them expired at once.\n',
      stderr: `${effect}Apply this to all contact requests? [y/N] `,
    });
    expect(await apply(undefined)).toMatchObject({
      stderr: expect.stringMatching(/^local has no retentionDays: no contact request will expire\.\n/),
    });
  });

  it('prints JSON for programs', async () => {
    await created(40);
    const { stdout } = await apply(30, {}, '--yes', '--json');
    const tally = { changed: 1, gone: 1, young: 0, missed: 0 };
    expect(JSON.parse(stdout)).toEqual({ environment: 'local', retentionDays: 30, ...tally });
  });
});

/** A client that does something before an operation is asked for, for the first time. */
const meanwhile = async (operation: string, act: () => Promise<unknown>) => {
  let done = false;
  const relay = await startRelay({
    before: async (asked) => {
      if (asked !== operation || done) return;
      done = true;
      await act();
    },
  });
  return {
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: relay.url })),
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
};

describe('contacts apply-retention, when something comes between,', () => {
  it('leaves what was released meanwhile, of which targets would be told again', async () => {
    const id = await created(5, { spam: true });
    const table = { client, table: staff.tables.contacts };
    await using released = await meanwhile('UpdateItem', () => releaseContact(table, id, now));
    expect(await applyAll(30, { client: released.client })).toEqual({
      code: 0,
      stdout: 'Changed 0 contact requests in local.\n',
      // The list of spam had it, and then the other one.
      stderr:
        'Left 1 contact request of the last 61 minutes, which would notify again: run it later.\nLeft 1 contact request that changed meanwhile: run it again.\n',
    });
    expect(await expiries()).toEqual({ [id]: undefined });
  });

  it('overwrites no expiry that somebody else gave meanwhile', async () => {
    const id = await created(5);
    const expire = new UpdateCommand({
      TableName: staff.tables.contacts,
      Key: { id },
      UpdateExpression: 'SET expiresAt = :time',
      ExpressionAttributeValues: { ':time': 4_000_000_000 },
    });
    await using changed = await meanwhile('UpdateItem', () => client.send(expire));
    expect(await applyAll(30, { client: changed.client })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Changed 0'),
    });
    expect(await expiries()).toEqual({ [id]: 4_000_000_000 });
  });

  it('makes nothing of what was deleted meanwhile', async () => {
    const id = await created(5);
    await using deleted = await meanwhile('UpdateItem', () => staff.run(['contacts', 'delete', id]));
    expect(await applyAll(30, { client: deleted.client })).toMatchObject({ code: 0, stderr: '' });
    expect(await expiries()).toEqual({});
  });

  it('goes on where it was after Ctrl-C', async () => {
    for (let count = 0; count < 150; count += 1) await created(10);
    await using ctrlC = await pressCtrlCAt('UpdateItem');
    const { code, stdout, stderr } = await applyAll(30, ctrlC);
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    const [, changed] =
      /^Changed (\d+) contact requests? so far: run it again for the rest\.\nStopped before the end\.\n$/.exec(
        stderr,
      ) ?? [];
    const left = Object.values(await expiries()).filter((expiry) => expiry === undefined).length;
    expect(left).toBe(150 - Number(changed));
    expect(left).toBeGreaterThan(0);
    expect(await applyAll(30)).toMatchObject({
      stdout: `Changed ${left} contact request${left === 1 ? '' : 's'} in local.\n`,
    });
    expect(new Set(Object.values(await expiries()))).toEqual(new Set([seconds(daysAgo(10 - 30))]));
  });
});
