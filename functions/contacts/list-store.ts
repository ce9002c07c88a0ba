import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ListOrder, type ListPage, type PageRoom, readListPage } from '../list-page.ts';
import { type Contact, storedContact } from './contact.ts';
import { notExpired } from './expiry.ts';
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
export const listQueryOf = ({ order = 'descending', since, until, spam, now }: ContactRange) => ({
  index: contactsTable.listIndex,
  partition: contactsTable.listPartitions[spam ? 'spam' : 'inbox'],
  order,
  from: since,
  // A sort key goes on with `#` and the id: those of the time itself come after it, and are left out.
  to: until,
  ...(now && { filter: notExpired(now) }),
});

/** The list of contact requests in DynamoDB: apart from the store, since functions for one item carry no code to list them. */
export const contactListStore = (client: DynamoDBDocumentClient, table: string) => ({
  /** A page of the list. */
  list({ limit, after, room, signal, ...range }: ContactQuery): Promise<ListPage<Contact>> {
    return readListPage({
      ...listQueryOf(range),
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
