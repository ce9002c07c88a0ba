import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ListOrder, type ListPage, type PageRoom, readListPage } from '../list-page.ts';
import { type Contact, storedContact } from './contact.ts';
import { notExpired } from './expiry.ts';
import { partitionsOf } from './place.ts';
import { contactsTable } from './table.ts';

/** Which contact requests. */
export interface ContactRange {
  /** @defaultValue newest first */
  readonly order?: ListOrder;
  /** Bounds the place: RFC 3339, UTC, milliseconds; inclusive. */
  readonly since?: string | undefined;
  /** Bounds the place: RFC 3339, UTC, milliseconds; exclusive. */
  readonly until?: string | undefined;
  /** Only those marked as spam, instead of only the others. */
  readonly spam: boolean;
  /** Those that have expired by then are left out. @defaultValue none is */
  readonly now?: Date;
}

export interface ContactQuery extends ContactRange {
  readonly limit: number;
  /** The sort key that the page before ended with. */
  readonly after?: string | undefined;
  readonly now: Date;
  readonly room?: PageRoom<Contact>;
  readonly signal?: AbortSignal | undefined;
}

/** How contact requests are found in the list. */
export const listQueryOf = ({ order = 'descending', since, until, spam, now }: ContactRange, listShards: number) => ({
  index: contactsTable.listIndex,
  partitions: partitionsOf(spam, listShards),
  order,
  from: since,
  // A sort key goes on with `#` and the id: those of the time itself come after it, and are left out.
  to: until,
  ...(now && { filter: notExpired(now) }),
});

/**
 * The list of contact requests in DynamoDB: apart from the store, since who asks for one carries no code to list them.
 * @param listShards over how many partitions it is spread
 */
export const contactListStore = (client: DynamoDBDocumentClient, table: string, listShards: number) => ({
  /** A page of the list. */
  list({ limit, after, room, signal, ...range }: ContactQuery): Promise<ListPage<Contact>> {
    return readListPage({
      ...listQueryOf(range, listShards),
      client,
      table,
      limit,
      after,
      schema: storedContact,
      room,
      signal,
    });
  },
});

export type ContactListStore = ReturnType<typeof contactListStore>;
