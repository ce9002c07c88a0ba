import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { meanwhile, pressCtrlCAt } from '../support/relayed-clients.ts';
import { client } from '../support/tables.ts';
import { now, type RunOptions, refusal, type StaffService, startStaff, store, storeMany } from './staff.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const minute = 60 * 1000;
const day = 24 * 60 * minute;
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const seconds = (time: Date) => time.getTime() / 1000;

/** Stores a contact request that is some days old. */
const created = (days: number, { fields = {}, ...more }: { fields?: object; [option: string]: unknown } = {}) =>
  store(staff, fields, { createdAt: ago(days * day), ...more });

const apply = (retentionDays: number | undefined, { yes = true, ...options }: RunOptions & { yes?: boolean } = {}) =>
  staff.run(['contacts', 'apply-retention', ...(yes ? ['--yes'] : [])], { retentionDays, ...options });

const item = v.object({ id: v.string(), expiresAt: v.optional(v.number()) });

/** When each expires, by its id. */
const expiries = async () => {
  const [contacts] = v.parse(v.tuple([v.array(item), v.unknown(), v.unknown()]), await staff.everything());
  return Object.fromEntries(contacts.map(({ id, expiresAt }) => [id, expiresAt]));
};

describe('contacts apply-retention', () => {
  it('sets, moves and removes the expiry of stored contact requests, spam too', async () => {
    const none = await created(10);
    const sooner = await created(10, { expiresAt: ago(-5 * day) });
    const spam = await created(20, { spam: true });
    expect(await apply(90)).toEqual({ code: 0, stdout: 'Changed 3 contact requests in local.\n', stderr: '' });
    const ten = seconds(ago(-80 * day));
    const twenty = seconds(ago(-70 * day));
    expect(await expiries()).toEqual({ [none]: ten, [sooner]: ten, [spam]: twenty });

    expect(await apply(90)).toMatchObject({ stdout: 'Changed 0 contact requests in local.\n' });
    expect(await apply(undefined)).toMatchObject({ stdout: 'Changed 3 contact requests in local.\n' });
    expect(await expiries()).toEqual({ [none]: undefined, [sooner]: undefined, [spam]: undefined });
  });

  it('lets older ones expire now, which DynamoDB still deletes, and restores no expired ones', async () => {
    const old = await created(3000);
    const expired = await created(100, { expiresAt: ago(day) });
    expect(await apply(30)).toMatchObject({
      stdout: 'Changed 1 contact request in local; 1 of them expired at once.\n',
    });
    await apply(undefined);
    expect(await expiries()).toEqual({ [old]: seconds(now), [expired]: seconds(ago(day)) });
  });

  it('says what it will do and asks first', async () => {
    await created(40);
    const before = await staff.everything();
    const effect = 'local has retentionDays 30: older contact requests will be deleted for good.\n';
    expect(await apply(30, { yes: false })).toEqual(
      refusal(`${effect}Nothing was changed: no terminal to confirm at. Add --yes to skip the question.`),
    );
    expect(await staff.everything()).toEqual(before);
    expect(await apply(30, { yes: false, terminals: ['stdin'], input: 'y\n' })).toEqual({
      code: 0,
      stdout: 'Changed 1 contact request in local; 1 of them expired at once.\n',
      stderr: `${effect}Apply this to all contact requests? [y/N] `,
    });
    expect((await apply(undefined, { yes: false })).stderr).toMatch(
      /^local has no retentionDays: no contact request will expire\.\n/,
    );
  });

  it('gives the contact requests of a form the days of that form, be they fewer or more', async () => {
    const sales = await created(20, { fields: { form: 'sales' } });
    const jobs = await created(20, { fields: { form: 'jobs' } });
    const other = await created(20, { fields: { form: 'other' } });
    const options = { retentionDaysOfForms: [['sales', 400] as [string, number], ['jobs', 7] as [string, number]] };
    const { stdout, stderr } = await apply(90, { ...options, yes: false, terminals: ['stdin'], input: 'y\n' });
    expect(stderr).toMatch(
      /^local has retentionDays 90, 400 for the form "sales", 7 for the form "jobs": older contact requests will/,
    );
    expect(stdout).toBe('Changed 3 contact requests in local; 1 of them expired at once.\n');
    expect(await expiries()).toEqual({
      [sales]: seconds(ago(-380 * day)),
      [jobs]: seconds(now),
      [other]: seconds(ago(-70 * day)),
    });
  });

  it('changes only the contact requests of a form, if one is given', async () => {
    const jobs = await created(20, { fields: { form: 'jobs' } });
    const other = await created(20);
    const otherCase = await created(20, { fields: { form: 'Jobs' } });
    const options = { retentionDays: 90, retentionDaysOfForms: [['jobs', 30] as [string, number]] };
    const run = () =>
      staff.run(['contacts', 'apply-retention', '--form', 'jobs'], { ...options, terminals: ['stdin'], input: 'y\n' });
    expect(await run()).toEqual({
      code: 0,
      stdout: 'Changed 1 contact request in local.\n',
      stderr:
        'local has retentionDays 30 for the form "jobs": older contact requests will be deleted for good.\nApply this to all contact requests of this form? [y/N] ',
    });
    expect(await expiries()).toEqual({ [jobs]: seconds(ago(-10 * day)), [other]: undefined, [otherCase]: undefined });
  });

  it('changes what is released meanwhile only where it is then: else that would be news twice', async () => {
    const id = await created(5, { spam: true });
    await using releasing = await meanwhile('UpdateItem', () => staff.run(['contacts', 'release', id]));
    expect(await apply(30, releasing)).toEqual({
      code: 0,
      stdout: 'Changed 1 contact request in local.\n',
      stderr: 'Skipped 1 contact request that changed meanwhile: run this again.\n',
    });
    expect(await expiries()).toEqual({ [id]: seconds(ago(-25 * day)) });
  });

  it('does not overwrite an expiry that changes meanwhile', async () => {
    const id = await created(5);
    const expire = new UpdateCommand({
      TableName: staff.tables.contacts,
      Key: { id },
      UpdateExpression: 'SET expiresAt = :time',
      ExpressionAttributeValues: { ':time': 4_000_000_000 },
    });
    await using changing = await meanwhile('UpdateItem', () => client.send(expire));
    expect(await apply(30, changing)).toMatchObject({ stdout: 'Changed 0 contact requests in local.\n' });
    expect(await expiries()).toEqual({ [id]: 4_000_000_000 });
  });

  it('does not restore what is deleted meanwhile', async () => {
    const id = await created(5);
    await using deleting = await meanwhile('UpdateItem', () => staff.run(['contacts', 'delete', id]));
    expect(await apply(30, deleting)).toMatchObject({ code: 0, stderr: '' });
    expect(await expiries()).toEqual({});
  });

  it('stops on Ctrl-C and says how far it came; the next run does the rest', async () => {
    await storeMany(staff, 110, ago(10 * day));
    await using ctrlC = await pressCtrlCAt('UpdateItem');
    const { code, stderr } = await apply(30, ctrlC);
    const changed = Object.values(await expiries()).filter((time) => time !== undefined).length;
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: `Changed ${changed} contact requests so far: run this again for the rest.\nStopped before the end.\n`,
    });
    expect(await apply(30)).toMatchObject({ stdout: `Changed ${110 - changed} contact requests in local.\n` });
    expect(Object.values(await expiries())).not.toContain(undefined);
  });
});
