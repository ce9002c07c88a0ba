import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import { type ContactRange, contactStore, listQueryOf } from '../../functions/contacts/store.ts';
import { contactsTable, listKeys } from '../../functions/contacts/table.ts';
import { existingItem, wasRetried } from '../../functions/shared/dynamodb.ts';
import { readListPage } from '../../functions/shared/list-page.ts';
import type { Staff } from './command.ts';
import type { Table } from './environment.ts';
import { withProgress } from './output.ts';
import { StaffError } from './staff-error.ts';

const pageSize = 100;

/** Deletions under way at the same time. */
const deletesAtOnce = 10;

const { partitionKey, sortKey } = contactsTable.listIndex;

/** At this time no contact request has expired. */
const earliest = new Date(0);

export const tableOf = ({ environment }: Staff): Table => ({
  client: environment.dynamodb,
  table: environment.tables.contacts,
});

export interface ReadOptions<Item> {
  readonly schema: v.GenericSchema<unknown, Item>;
  /** Keeps the items for which it holds. @defaultValue all */
  readonly keeps?: ((item: Item) => boolean) | undefined;
  /** @defaultValue all */
  readonly limit?: number | undefined;
  /** Gets the id of each unreadable item. */
  readonly leaveOut: (id: string) => void;
}

/**
 * Reads contact requests page by page, so that memory holds one page.
 * @throws what Ctrl-C aborts with
 */
export async function* readContacts<Item>(
  staff: Staff,
  range: ContactRange,
  { schema, keeps, limit = Infinity, leaveOut }: ReadOptions<Item>,
): AsyncGenerator<readonly Item[]> {
  const query = {
    ...tableOf(staff),
    ...listQueryOf(range),
    schema,
    signal: staff.signal,
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

export const noContact = (id: string): StaffError => new StaffError(`There is no contact request ${id}.`);

/** Deletes a contact request, even an expired one. @throws {StaffError} if there is none */
export const deleteContact = async ({ client, table }: Table, id: string): Promise<void> => {
  if (!(await contactStore(client, table).delete(id, earliest))) throw noContact(id);
};

interface Deletion {
  /** The ids of those that it deleted. */
  readonly deleted: readonly string[];
  /** The number of those that it did not reach. */
  readonly left: number;
  /** Why it stopped early. */
  readonly failure?: unknown;
}

/** Deletes a contact request, unless it was released meanwhile. @returns whether it did */
const deleteSpam = async ({ client, table }: Table, id: string): Promise<boolean> => {
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
 * Deletes contact requests for good, several at a time, until one fails or Ctrl-C.
 * @param onlySpam does not delete what was released meanwhile
 */
export const deleteAll = async (
  staff: Staff,
  ids: readonly string[],
  { onlySpam }: { readonly onlySpam: boolean },
): Promise<Deletion> => {
  const { client, table } = tableOf(staff);
  const store = contactStore(client, table);
  const queue = ids.values();
  const deleted: string[] = [];
  let gone = 0;
  const workers = await withProgress(staff, ['contact request', 'deleted'], (report) => {
    const work = async () => {
      for (const id of queue) {
        staff.signal.throwIfAborted();
        const isDeleted = await (onlySpam ? deleteSpam({ client, table }, id) : store.delete(id, earliest));
        if (isDeleted) deleted.push(id);
        else gone += 1;
        report(deleted.length);
      }
    };
    return Promise.allSettled(Array.from({ length: deletesAtOnce }, work));
  });
  const failed = workers.find((worker) => worker.status === 'rejected');
  return { deleted, left: ids.length - deleted.length - gone, ...(failed && { failure: failed.reason }) };
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
    // The answer to the first attempt was lost, and the SDK tried again.
    if ((await find()).releasedAt === releasedAt) return releasedAt;
    throw new StaffError(`The contact request ${id} is not marked as spam.`);
  }
};
