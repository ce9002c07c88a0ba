import type { Contact } from './contact.ts';
import { contactsTable } from './table.ts';

const shardOf = (shard: number, spam: boolean) => contactsTable.listPartitions[spam ? 'spam' : 'inbox'] + shard;

/**
 * The list partitions of what is marked as spam, or of all else.
 * @param listShards how many there are: it may grow, never shrink (docs/decisions.md)
 */
export const partitionsOf = (spam: boolean, listShards: number): string[] =>
  Array.from({ length: listShards }, (_, shard) => shardOf(shard, spam));

/** The list partition of an id. An id is random or itself a hash, so its last digits spread evenly. */
export const listPartition = (id: string, spam: boolean, listShards: number): string =>
  shardOf(Number.parseInt(id.slice(-8), 16) % listShards, spam);

/** The place of a contact request in its list: when it was created, or released from spam. */
export const placeOf = ({ createdAt, releasedAt }: Pick<Contact, 'createdAt' | 'releasedAt'>): string =>
  releasedAt ?? createdAt;

/** Where the index has a contact request. */
export const listKeys = (
  contact: Pick<Contact, 'id' | 'createdAt' | 'releasedAt'>,
  spam: boolean,
  listShards: number,
) => ({
  [contactsTable.listIndex.partitionKey]: listPartition(contact.id, spam, listShards),
  [contactsTable.listIndex.sortKey]: `${placeOf(contact)}#${contact.id}`,
});
