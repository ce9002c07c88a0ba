import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { existingItem, type Table, wasRetried } from '../shared/dynamodb.ts';
import { readListPage } from '../shared/list-page.ts';
import { changeContact } from './change.ts';
import { type ContactRange, contactStore, type KeptContact, keptContact, listQueryOf } from './contact-store.ts';
import { contactsTable, expiring, listedAtOf, listPartitionOf } from './contacts-table.ts';

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

/** `restored`: staff had marked it, so it is back in its old place, and nobody is notified. */
type Released =
  | { readonly outcome: 'released'; readonly releasedAt: string }
  | { readonly outcome: 'restored' | 'missing' | 'not spam' };

/** Releases a contact request from spam: it enters the normal list now, or again. */
export const releaseContact = async (contacts: Table, id: string, now: Date): Promise<Released> => {
  const result = await changeContact(contacts, id, { spam: false }, now);
  if (result.outcome === 'missing') return { outcome: 'missing' };
  const { releasedAt } = result.contact;
  // Also if the response to the first attempt was lost, and the SDK tried again.
  if (releasedAt === now.toISOString()) return { outcome: 'released', releasedAt };
  return { outcome: result.outcome === 'changed' ? 'restored' : 'not spam' };
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
        UpdateExpression: `SET announced = :listedAt${expiresAt === undefined ? ' REMOVE expiresAt' : ', expiresAt = :wanted'}`,
        // A release meanwhile changes the sort key, and is news.
        ConditionExpression: `#sort = :sort AND ${contact.expiresAt === undefined ? 'attribute_not_exists(expiresAt)' : 'expiresAt = :read'}`,
        ExpressionAttributeNames: { '#sort': sortKey },
        ExpressionAttributeValues: {
          ':sort': contact[sortKey],
          ':listedAt': listedAtOf(contact),
          ':read': contact.expiresAt,
          ':wanted': expiresAt,
        },
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
