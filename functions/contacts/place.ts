import type { Contact } from './contact.ts';
import { contactsTable } from './table.ts';

const { listIndex, listPartitions } = contactsTable;

/** The place of a contact request in its list: when it was created, or released from spam. */
export const placeOf = ({ createdAt, releasedAt }: Pick<Contact, 'createdAt' | 'releasedAt'>): string =>
  releasedAt ?? createdAt;

/** The keys of a contact request in the list. */
export const listKeys = (contact: Pick<Contact, 'id' | 'createdAt' | 'releasedAt'>, spam: boolean) => ({
  [listIndex.partitionKey]: listPartitions[spam ? 'spam' : 'inbox'],
  [listIndex.sortKey]: `${placeOf(contact)}#${contact.id}`,
});
