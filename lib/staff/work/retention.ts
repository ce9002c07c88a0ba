import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  contactsTable,
  expiring,
  expiryOf,
  listedAtOf,
  toSeconds,
} from '../../../functions/contacts/contacts-table.ts';
import { count, formatNumber } from '../../shared/terminal-text.ts';
import { readAllContacts } from '../../tables/contact-table.ts';
import type { Table } from '../../tables/table.ts';
import type { Result } from '../tool/command.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import type { StaffEnvironment } from '../tool/staff-environment.ts';
import { writeEach } from '../tool/write-each.ts';

/**
 * Milliseconds for which a contact request must not change: a change within an hour of entering the list notifies again
 * (functions/notify/fan-out.ts). A minute more allows for clocks that differ.
 */
const youngFor = 61 * 60 * 1000;

const { sortKey } = contactsTable.listIndex;

const expiringItem = v.object({
  id: v.string(),
  createdAt: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
  releasedAt: v.exactOptional(v.string()),
  [sortKey]: v.string(),
  ...expiring.entries,
});

type ExpiringItem = v.InferOutput<typeof expiringItem>;

/** Sets the expiry of an item, unless it changed since it was read. @returns whether it has that expiry now, or is deleted */
const setExpiry = async (
  { client, table }: Table,
  item: ExpiringItem,
  expiresAt: number | undefined,
): Promise<boolean> => {
  const key = { TableName: table, Key: { id: item.id } };
  try {
    await client.send(
      new UpdateCommand({
        ...key,
        UpdateExpression: expiresAt === undefined ? 'REMOVE expiresAt' : 'SET expiresAt = :wanted',
        // A release meanwhile changes the sort key, and makes the item young again.
        ConditionExpression: `#sort = :sort AND ${item.expiresAt === undefined ? 'attribute_not_exists(expiresAt)' : 'expiresAt = :read'}`,
        ExpressionAttributeNames: { '#sort': sortKey },
        ExpressionAttributeValues: { ':sort': item[sortKey], ':read': item.expiresAt, ':wanted': expiresAt },
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // It was deleted, or changed by an attempt whose response was lost.
    const { Item: found } = await client.send(new GetCommand({ ...key, ConsistentRead: true }));
    return !found || (v.is(expiring, found) && found.expiresAt === expiresAt);
  }
};

/**
 * Gives every contact request the expiry that a new one would get. Expired ones stay expired.
 * @throws {StaffError} if nobody agrees
 */
export const applyRetention = async (environment: StaffEnvironment, io: CommandIo): Promise<Result> => {
  const { name, settings, tables } = environment;
  const { retentionDays } = settings;
  const now = environment.now();
  const today = toSeconds(now);
  const youngFrom = new Date(now.getTime() - youngFor).toISOString();
  const effect =
    retentionDays === undefined
      ? 'has no retentionDays: no contact request will expire'
      : `has retentionDays ${formatNumber(retentionDays)}: older contact requests will be deleted for good`;
  await io.agree('Apply this to all contact requests?', `${name} ${effect}.`);

  const tally = { changed: 0, gone: 0, young: 0, missed: 0 };
  const change = async (item: ExpiringItem) => {
    const wanted =
      retentionDays === undefined ? undefined : toSeconds(expiryOf(new Date(item.createdAt), retentionDays));
    if (item.expiresAt === wanted) return;
    if (listedAtOf(item) > youngFrom) {
      tally.young += 1;
      return;
    }
    const isGone = wanted !== undefined && wanted <= today;
    // DynamoDB does not delete items that expired more than five years ago:
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html
    if (await setExpiry(tables.contacts, item, isGone ? today : wanted)) {
      tally.changed += 1;
      if (isGone) tally.gone += 1;
    } else {
      tally.missed += 1;
    }
  };

  try {
    using progress = io.progress('contact request', 'read');
    const options = { schema: expiringItem, leaveOut: sayUnreadable(io, 'contact request'), signal: io.signal };
    let read = 0;
    await writeEach(readAllContacts(tables.contacts, { now }, options), io.signal, async (item) => {
      await change(item);
      read += 1;
      progress.report(read);
    });
  } catch (error) {
    io.say(`Changed ${count(tally.changed, 'contact request')} so far: run this again for the rest.`);
    throw error;
  }

  const { changed, gone, young, missed } = tally;
  if (young > 0) {
    io.say(
      `Skipped ${count(young, 'contact request')} received or released in the last 61 minutes: a change would notify again. Run this again in two hours.`,
    );
  }
  if (missed > 0) io.say(`Skipped ${count(missed, 'contact request')} that changed meanwhile: run this again.`);
  const atOnce = gone > 0 ? `; ${formatNumber(gone)} of them expired at once` : '';
  return {
    json: { environment: name, retentionDays: retentionDays ?? null, ...tally },
    text: `Changed ${count(changed, 'contact request')} in ${name}${atOnce}.\n`,
  };
};
