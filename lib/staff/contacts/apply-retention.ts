import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { contactsTable, expiring } from '../../../functions/contacts/table.ts';
import { agree } from '../command-line/agree.ts';
import { printJson } from '../command-line/json.ts';
import { print } from '../command-line/output.ts';
import { sayAmid, withProgress } from '../command-line/progress.ts';
import { count, formatNumber } from '../command-line/text.ts';
import type { Staff } from '../context.ts';
import { sayLeftOut } from '../tables/left-out.ts';
import { persist } from '../tables/persist.ts';
import { readContacts } from './read.ts';
import { type Change, type Plan, planOf, type Standing, standing } from './retention-plan.ts';

/** How many contact requests change, of those that are there. */
interface Tally {
  changed: number;
  /** How many of them are hidden at once, and deleted soon. */
  gone: number;
  /** How many are too young to be changed. */
  young: number;
  /** How many somebody else changed meanwhile. */
  missed: number;
}

/** Reads all that has not expired, spam too, and does something for each that is to change. */
const changeEach = async (
  staff: Staff,
  plan: Plan,
  done: string,
  tally: Tally,
  act: (change: Change) => Promise<boolean>,
): Promise<void> => {
  const changeOne = async (item: Standing) => {
    const change = plan(item);
    if (change === undefined) return;
    if (change === 'young') tally.young += 1;
    else if (!(await act(change))) tally.missed += 1;
    else {
      tally.changed += 1;
      if (change.gone) tally.gone += 1;
    }
  };
  await withProgress(staff, ['contact request', done], async (report) => {
    let before = 0;
    // Spam first: what is released meanwhile is met in the other list.
    for (const spam of [true, false]) {
      let read = 0;
      const options = { schema: standing, leaveOut: sayLeftOut(staff, 'contact request') };
      for await (const page of readContacts(staff, { spam, now: staff.now }, options)) {
        await Promise.all(page.map(changeOne));
        read += page.length;
        report(before + read);
      }
      before += read;
    }
  });
};

/** Gives an item its expiry, if it is still as it was read. @returns whether it has that now, or is not there any more */
const write = async (staff: Staff, { item, expiresAt }: Change): Promise<boolean> => {
  const { client, contacts } = staff.tables;
  const { sortKey } = contactsTable.listIndex;
  const key = { TableName: contacts, Key: { id: item.id } };
  try {
    await client.send(
      new UpdateCommand({
        ...key,
        UpdateExpression: expiresAt === undefined ? 'REMOVE expiresAt' : 'SET expiresAt = :wanted',
        // One that was released meanwhile is young again.
        ConditionExpression: `#sort = :sort AND ${item.expiresAt === undefined ? 'attribute_not_exists(expiresAt)' : 'expiresAt = :read'}`,
        ExpressionAttributeNames: { '#sort': sortKey },
        ExpressionAttributeValues: { ':sort': item[sortKey], ':read': item.expiresAt, ':wanted': expiresAt },
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // Deleted, or changed by an attempt whose answer was lost.
    const { Item: found } = await client.send(new GetCommand({ ...key, ConsistentRead: true }));
    return !found || (v.is(expiring, found) && found.expiresAt === expiresAt);
  }
};

const newTally = (): Tally => ({ changed: 0, gone: 0, young: 0, missed: 0 });

/** What the person is asked about. */
const describePlan = ({ changed, gone }: Tally, environment: string, retentionDays: number | undefined): string => {
  const days = retentionDays === undefined ? 'no retentionDays' : `retentionDays ${formatNumber(retentionDays)}`;
  const change = retentionDays === undefined ? 'would never expire' : 'would expire at another time';
  const atOnce = retentionDays === undefined ? '' : `, ${formatNumber(gone)} of them at once`;
  const lost = gone > 0 ? ': what expires is hidden and then deleted for good' : '';
  return `${environment} has ${days}: ${count(changed, 'contact request')} ${change}${atOnce}${lost}.\n`;
};

export interface RetentionOptions {
  /** Asks nobody. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Changes what is to change. @returns how many it were */
const changeAll = async (staff: Staff, plan: Plan): Promise<Tally> => {
  const tally = newTally();
  try {
    await changeEach(staff, plan, 'looked at', tally, (change) => persist(staff, () => write(staff, change)));
    return tally;
  } catch (error) {
    sayAmid(staff, `Changed ${count(tally.changed, 'contact request')} until then: the same command goes on.`);
    throw error;
  }
};

/**
 * Gives each contact request that is there the expiry that one gets that comes today. What has expired stays so.
 * @throws {StaffError} when nobody agrees to it; what the store keeps failing with
 */
export const applyRetention = async (staff: Staff, { yes, json }: RetentionOptions): Promise<void> => {
  const { stderr, tables, environment } = staff;
  const { retentionDays } = tables;
  const plan = planOf(staff.now, retentionDays);
  if (!yes) {
    const planned = newTally();
    await changeEach(staff, plan, 'read', planned, async () => true);
    stderr.write(describePlan(planned, environment, retentionDays));
    if (planned.changed > 0) await agree(staff, 'change them', 'changed');
  }
  const tally = await changeAll(staff, plan);
  const { changed, gone, young, missed } = tally;
  if (young > 0) {
    stderr.write(
      `Left ${count(young, 'contact request')} of the last 61 minutes, which would be told again: run it later.\n`,
    );
  }
  if (missed > 0) stderr.write(`Left ${count(missed, 'contact request')} that changed meanwhile: run it again.\n`);
  if (json) return printJson(staff, { environment, retentionDays: retentionDays ?? null, ...tally });
  const atOnce = gone > 0 ? `, ${formatNumber(gone)} of which expired at once` : '';
  await print(staff, [`Changed ${count(changed, 'contact request')} in ${environment}${atOnce}.\n`]);
};
