import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Table } from '../shared/dynamodb.ts';
import { staffContact, staffMark } from './contact.ts';
import { type KeptContact, keptContact } from './contact-store.ts';
import { announced, contactsTable, expiring, isExpired, listedAtOf, listKeys } from './contacts-table.ts';

const { listPartitions, writtenByStaff } = contactsTable;

/** What staff say of a contact request. What is absent stays as it is. */
export interface Change {
  /** `false` releases it from spam, or takes back a mark of staff. `true` marks it. */
  readonly spam?: boolean | undefined;
  /** Who has answered it; `false`: nobody. */
  readonly answeredBy?: string | false | undefined;
}

/** An item, as far as a change reads it. */
const storedItem = v.object({
  ...staffContact.entries,
  announced,
  listPartition: v.string(),
  listSort: v.string(),
});

type StoredItem = Readonly<v.InferOutput<typeof storedItem>>;

/** The attributes that change; an undefined one is removed. */
type Difference = Readonly<Partial<Record<(typeof writtenByStaff)[number], string | undefined>>>;

/** What a defence caught enters the list now, which is news. What staff marked goes back to its old place, and nobody hears of it. */
const unmark = (before: StoredItem, now: Date): Difference => {
  if (before.spamReason === staffMark) return { ...listKeys(before, false), spamReason: undefined };
  const releasedAt = now.toISOString();
  return { ...listKeys({ ...before, releasedAt }, false), releasedAt, spamReason: undefined };
};

/** What a change makes different; nothing if all of it is so already. */
const differenceOf = (before: StoredItem, { spam, answeredBy }: Change, now: Date): Difference => {
  const isSpam = before.listPartition === listPartitions.spam;
  const isAnswered = before.answeredAt !== undefined;
  return {
    ...(spam === true && !isSpam && { ...listKeys(before, true), spamReason: staffMark }),
    ...(spam === false && isSpam && unmark(before, now)),
    ...(typeof answeredBy === 'string' && !isAnswered && { answeredAt: now.toISOString(), answeredBy }),
    ...(answeredBy === false && isAnswered && { answeredAt: undefined, answeredBy: undefined }),
  };
};

/** Writes a difference, unless somebody has changed or deleted the item since it was read. */
const updateOf = (table: string, before: StoredItem, difference: Difference): UpdateCommand => {
  // Always the place of before: a release has another one, and so it is news.
  const written = Object.entries({ ...difference, announced: listedAtOf(before) });
  const set = written.filter(([, value]) => value !== undefined).map(([name]) => `#${name} = :${name}`);
  const removed = written.filter(([, value]) => value === undefined).map(([name]) => `#${name}`);
  const unchanged = writtenByStaff.map((name) =>
    before[name] === undefined ? `attribute_not_exists(#${name})` : `#${name} = :before_${name}`,
  );
  return new UpdateCommand({
    TableName: table,
    Key: { id: before.id },
    UpdateExpression: `SET ${set.join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`,
    ConditionExpression: unchanged.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(writtenByStaff.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries([
      ...written.map(([name, value]) => [`:${name}`, value]),
      ...writtenByStaff.map((name) => [`:before_${name}`, before[name]]),
    ]),
  });
};

const withDifference = (found: object, difference: Difference): object =>
  Object.fromEntries(Object.entries({ ...found, ...difference }).filter(([, value]) => value !== undefined));

/** `same`: all of it was so already. */
type Changed = (KeptContact & { readonly outcome: 'changed' | 'same' }) | { readonly outcome: 'missing' };

/**
 * Changes a contact request as staff say. Only a release is news to anybody. The write has the condition that all is as it was read;
 * if not, it reads again. So nobody overwrites what somebody else has just done, and what was deleted stays deleted.
 */
export const changeContact = async (
  { client, table }: Table,
  id: string,
  change: Change,
  now: Date,
): Promise<Changed> => {
  // Each further round means that somebody else got on, so there are few.
  for (;;) {
    const { Item: found } = await client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
    if (!found || isExpired(v.parse(expiring, found), now)) return { outcome: 'missing' };
    const before = v.parse(storedItem, found);
    const difference = differenceOf(before, change, now);
    if (Object.keys(difference).length === 0) return { outcome: 'same', ...v.parse(keptContact, found) };
    try {
      await client.send(updateOf(table, before, difference));
      return { outcome: 'changed', ...v.parse(keptContact, withDifference(found, difference)) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
};
