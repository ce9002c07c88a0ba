import * as v from 'valibot';
import type { Condition } from '../shared/list-page.ts';
import { idInSortKey, uuidPattern } from '../shared/uuid.ts';
import type { Contact } from './contact.ts';

/** The contacts table: the infrastructure creates it, the store uses it. */
export const contactsTable = {
  /** The environment variable that tells a function the table's name. */
  variable: 'CONTACTS_TABLE',
  partitionKey: 'id',
  /** Sorted by the time at which items entered the list; one partition each for the inbox and for spam. */
  listIndex: {
    name: 'list',
    partitionKey: 'listPartition',
    sortKey: 'listSort',
    sortKeyPattern: new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z#${uuidPattern}$`),
    tableKeyOf: (sortKey: string) => ({ id: idInSortKey(sortKey) }),
  },
  /** What delete-contact reads of an item. Its role lets it read no more. */
  readByDelete: ['id', 'expiresAt'],
  /** What delete-files reads of an item. Its role lets it read no more. */
  readByDeleteFiles: ['id', 'upload'],
  /** What staff change of an item. The role of update-contact lets it write no more. */
  writtenByStaff: ['listPartition', 'listSort', 'releasedAt', 'spamReason', 'answeredAt', 'answeredBy', 'announced'],
  /** What confirm reads of an item. Its role lets it read no more: of what the visitor wrote, the address and no word. */
  readByConfirm: ['id', 'createdAt', 'releasedAt', 'email', 'site', 'form', 'listPartition', 'expiresAt'],
  /** Says that the visitor gets a confirmation. Nothing outside the stream shows it. */
  confirmation: { attribute: 'confirmation', due: 'due' },
  /** The random part of the keys of its files: functions/files/file.ts. Nothing shows it. */
  upload: 'upload',
  /** The partition of each list. */
  listPartitions: { inbox: 'inbox', spam: 'spam' },
} as const;

/** When a contact request entered its list: when it was created, or released from spam. */
export const listedAtOf = ({ createdAt, releasedAt }: Pick<Contact, 'createdAt' | 'releasedAt'>): string =>
  releasedAt ?? createdAt;

export const listPartitionOf = (spam: boolean) => contactsTable.listPartitions[spam ? 'spam' : 'inbox'];

/** The keys of a contact request in the list. */
export const listKeys = (contact: Pick<Contact, 'id' | 'createdAt' | 'releasedAt'>, spam: boolean) => ({
  [contactsTable.listIndex.partitionKey]: listPartitionOf(spam),
  [contactsTable.listIndex.sortKey]: `${listedAtOf(contact)}#${contact.id}`,
});

/**
 * The time of entering the list of which nobody must be told, because the item was there already when it was last written. So a
 * change is no news, but a release is: it has another time, even if an earlier version of the staff command writes it.
 */
export const announced = v.exactOptional(v.string());

/** The time at which an item expires: seconds since 1970, as DynamoDB needs them; absent: never. */
export const expiring = v.object({ expiresAt: v.exactOptional(v.number()) });

export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);

export const expiryOf = (createdAt: Date, retentionDays: number): Date =>
  new Date(createdAt.getTime() + retentionDays * 24 * 60 * 60 * 1000);

export const isExpired = ({ expiresAt = Infinity }: v.InferOutput<typeof expiring>, now: Date): boolean =>
  expiresAt <= toSeconds(now);

/** Leaves out expired items: DynamoDB can take days to remove them. */
export const notExpired = (now: Date): Condition => ({
  expression: 'attribute_not_exists(expiresAt) OR expiresAt > :now',
  values: { ':now': toSeconds(now) },
});
