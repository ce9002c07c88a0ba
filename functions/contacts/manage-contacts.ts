import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { existingItem, type Table, wasRetried } from '../shared/dynamodb.ts';
import { readListPage } from '../shared/list-page.ts';
import { type ContactRange, contactStore, type KeptContact, keptContact, listQueryOf } from './contact-store.ts';
import { contactsTable, expiring, listKeys, listPartitionOf } from './contacts-table.ts';

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
  const query = { ...contacts, ...listQueryOf(range), schema, keeps, signal };
  let kept = 0;
  let after: string | undefined;
  do {
    const { items, unreadable, next } = await readListPage({
      ...query,
      limit: Math.min(pageSize, limit - kept),
      after,
    });
    unreadable.forEach(leaveOut);
    if (items.length > 0) yield items;
    kept += items.length;
    after = next;
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

type Found =
  | (KeptContact & { readonly outcome: 'found' })
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'unreadable' };

/** Reads a contact request with its expiry, even if that is over. */
export const findContact = async ({ client, table }: Table, id: string): Promise<Found> => {
  const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  if (!item) return { outcome: 'missing' };
  const { success, output } = v.safeParse(keptContact, item);
  return success ? { outcome: 'found', ...output } : { outcome: 'unreadable' };
};

/** Deletes a contact request for good, even an expired one. @returns whether it was there */
export const deleteIfThere = ({ client, table }: Table, id: string): Promise<boolean> =>
  contactStore(client, table).delete(id, earliest);

/** Deletes a contact request for good, unless it has left its list: staff may have released it. @returns whether it did */
export const deleteIfListed = async ({ client, table }: Table, id: string, spam: boolean): Promise<boolean> => {
  const command = new DeleteCommand({
    TableName: table,
    Key: { id },
    ConditionExpression: '#partition = :list',
    ExpressionAttributeNames: { '#partition': partitionKey },
    ExpressionAttributeValues: { ':list': listPartitionOf(spam) },
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

type Released =
  | { readonly outcome: 'released'; readonly releasedAt: string }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'not spam' };

/** Releases a contact request from spam: it enters the normal list now. */
export const releaseContact = async ({ client, table }: Table, id: string, now: Date): Promise<Released> => {
  const store = contactStore(client, table);
  const contact = await store.get(id, now);
  if (!contact) return { outcome: 'missing' };
  const releasedAt = now.toISOString();
  const keys = listKeys({ ...contact, releasedAt }, false);
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
    return { outcome: 'released', releasedAt };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const found = await store.get(id, now);
    if (!found) return { outcome: 'missing' };
    // The response to the first attempt was lost, and the SDK tried again.
    return found.releasedAt === releasedAt ? { outcome: 'released', releasedAt } : { outcome: 'not spam' };
  }
};

/** What decides when a stored contact request expires. */
export const expiringContact = v.object({
  id: v.string(),
  createdAt: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
  releasedAt: v.exactOptional(v.string()),
  form: v.exactOptional(v.string()),
  [sortKey]: v.string(),
  ...expiring.entries,
});

export type ExpiringContact = v.InferOutput<typeof expiringContact>;

/**
 * Sets the expiry of a contact request, unless that changed since it was read.
 * @param expiresAt in seconds since 1970; undefined: never
 * @returns whether it has that expiry now, or is deleted
 */
export const setExpiry = async (
  { client, table }: Table,
  contact: ExpiringContact,
  expiresAt: number | undefined,
): Promise<boolean> => {
  const key = { TableName: table, Key: { id: contact.id } };
  try {
    await client.send(
      new UpdateCommand({
        ...key,
        UpdateExpression: expiresAt === undefined ? 'REMOVE expiresAt' : 'SET expiresAt = :wanted',
        // A release meanwhile changes the sort key, and makes the contact request young again.
        ConditionExpression: `#sort = :sort AND ${contact.expiresAt === undefined ? 'attribute_not_exists(expiresAt)' : 'expiresAt = :read'}`,
        ExpressionAttributeNames: { '#sort': sortKey },
        ExpressionAttributeValues: { ':sort': contact[sortKey], ':read': contact.expiresAt, ':wanted': expiresAt },
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The contact request was deleted, or an attempt whose response was lost has changed it.
    const { Item: found } = await client.send(new GetCommand({ ...key, ConsistentRead: true }));
    return !found || (v.is(expiring, found) && found.expiresAt === expiresAt);
  }
};
