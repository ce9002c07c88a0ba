import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import { type ContactRange, contactStore, listQueryOf } from '../../functions/contacts/contact-store.ts';
import { contactsTable, listKeys } from '../../functions/contacts/contacts-table.ts';
import { existingItem, wasRetried } from '../../functions/shared/dynamodb.ts';
import { readListPage } from '../../functions/shared/list-page.ts';
import { StaffError } from '../shared/staff-error.ts';
import type { Table } from './table.ts';

const pageSize = 100;

const { partitionKey, sortKey } = contactsTable.listIndex;

/** At this time no contact request has expired. */
const earliest = new Date(0);

interface ReadOptions<Item> {
  readonly schema: v.GenericSchema<unknown, Item>;
  /** Keeps the items for which it holds. @defaultValue all */
  readonly keeps?: ((item: Item) => boolean) | undefined;
  /** @defaultValue all */
  readonly limit?: number | undefined;
  /** Gets the id of each unreadable item. */
  readonly leaveOut: (id: string) => void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Reads contact requests page by page, so that memory holds one page.
 * @throws what Ctrl-C aborts with
 */
export async function* readContacts<Item>(
  contacts: Table,
  range: ContactRange,
  { schema, keeps, limit = Infinity, leaveOut, signal }: ReadOptions<Item>,
): AsyncGenerator<readonly Item[]> {
  const query = {
    ...contacts,
    ...listQueryOf(range),
    schema,
    signal,
    // With a filter, the number of items to read is unknown.
    limit: keeps ? pageSize : Math.min(pageSize, limit),
  };
  let kept = 0;
  let after: string | undefined;
  do {
    const read = await readListPage({ ...query, after });
    read.unreadable.forEach(leaveOut);
    const page = (keeps ? read.items.filter(keeps) : read.items).slice(0, limit - kept);
    if (page.length > 0) {
      yield page;
      kept += page.length;
    }
    after = read.next;
  } while (after !== undefined && kept < limit);
}

/** Reads spam and the rest. Spam first: what is released meanwhile appears in the other list. */
export async function* readAllContacts<Item>(
  contacts: Table,
  range: Omit<ContactRange, 'spam'>,
  options: ReadOptions<Item>,
): AsyncGenerator<readonly Item[]> {
  for (const spam of [true, false]) yield* readContacts(contacts, { ...range, spam }, options);
}

export const noContact = (id: string): StaffError =>
  new StaffError(
    `There is no contact request ${id}: it was deleted, has expired, or is in another environment, which --env names.`,
  );

/** Deletes a contact request for good, even an expired one. @returns whether it was there */
export const deleteIfThere = ({ client, table }: Table, id: string): Promise<boolean> =>
  contactStore(client, table).delete(id, earliest);

/** Deletes a contact request for good, unless it was released meanwhile. @returns whether it did */
export const deleteIfSpam = async ({ client, table }: Table, id: string): Promise<boolean> => {
  const command = new DeleteCommand({
    TableName: table,
    Key: { id },
    ConditionExpression: '#partition = :spam',
    ExpressionAttributeNames: { '#partition': partitionKey },
    ExpressionAttributeValues: { ':spam': contactsTable.listPartitions.spam },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await client.send(command);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return existingItem(error) === undefined && wasRetried(error);
  }
};

/**
 * Releases a contact request from spam: it enters the normal list now.
 * @returns its `releasedAt`
 * @throws {StaffError} if there is none, or it is not marked as spam
 */
export const releaseContact = async ({ client, table }: Table, id: string, now: Date): Promise<string> => {
  const store = contactStore(client, table);
  const find = async () => {
    const contact = await store.get(id, now);
    if (contact) return contact;
    throw noContact(id);
  };
  const releasedAt = now.toISOString();
  const keys = listKeys({ ...(await find()), releasedAt }, false);
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { id },
        UpdateExpression: 'SET #partition = :inbox, #sort = :sort, releasedAt = :now REMOVE spamReason',
        ConditionExpression: '#partition = :spam',
        ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
        ExpressionAttributeValues: {
          ':inbox': keys[partitionKey],
          ':sort': keys[sortKey],
          ':now': releasedAt,
          ':spam': contactsTable.listPartitions.spam,
        },
      }),
    );
    return releasedAt;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The response to the first attempt was lost, and the SDK tried again.
    if ((await find()).releasedAt === releasedAt) return releasedAt;
    throw new StaffError(`The contact request ${id} is not marked as spam.`);
  }
};
