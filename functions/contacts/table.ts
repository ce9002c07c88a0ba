import * as v from 'valibot';
import type { Condition } from '../shared/list-page.ts';
import { idInSortKey, uuidPattern } from '../shared/uuid.ts';
import { jsonVariable } from '../shared/variables.ts';
import type { Contact } from './contact.ts';

/** The contacts table: the infrastructure creates it, the store uses it. */
export const contactsTable = {
  /** The environment variable that tells a function the table's name. */
  variable: 'CONTACTS_TABLE',
  partitionKey: 'id',
  /** Lists by place; one partition a shard. */
  listIndex: {
    name: 'list',
    partitionKey: 'listPartition',
    sortKey: 'listSort',
    sortKeyPattern: new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z#${uuidPattern}$`),
    tableKeyOf: (sortKey: string) => ({ id: idInSortKey(sortKey) }),
  },
  /** What the partitions of each list begin with; the shard's number follows. */
  listPartitions: { inbox: 'inbox#', spam: 'spam#' },
} as const;

/** What the functions are told that write into the list or read it. */
export const listVariables = {
  /** Over how many partitions the list is spread. */
  LIST_SHARDS: jsonVariable(v.number()),
};

export type ListVariables = v.InferOutput<v.ObjectSchema<typeof listVariables, undefined>>;

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

/** When a contact request expires, in seconds since 1970. */
export const expiring = v.object({ expiresAt: v.exactOptional(v.number()) });

export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** When a contact request expires that is kept for so many days. */
export const expiryOf = (createdAt: Date, retentionDays: number): Date =>
  new Date(createdAt.getTime() + retentionDays * 24 * 60 * 60 * 1000);

export const isExpired = ({ expiresAt = Infinity }: v.InferOutput<typeof expiring>, now: Date): boolean =>
  expiresAt <= toSeconds(now);

/** Leaves out of a list what has expired, though it was not yet removed. */
export const notExpired = (now: Date): Condition => ({
  expression: 'attribute_not_exists(expiresAt) OR expiresAt > :now',
  values: { ':now': toSeconds(now) },
});
