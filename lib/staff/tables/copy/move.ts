import { contactsTable, listPartition, partitionsOf } from '../../../../functions/contacts/table.ts';
import { StaffError } from '../../command-line/staff-error.ts';
import { kinds } from './kinds.ts';
import type { Item } from './scan.ts';
import type { TableToCopy } from './table-to-copy.ts';

const { listIndex, listPartitions } = contactsTable;

/**
 * An item as it is to stand in the target: as it is, but for a list partition that the target does not read, as those of a
 * list that was spread over more of them.
 * @throws {StaffError} when it is of another kind of table: nothing of it may be written
 */
export const asInTarget = ({ kind, source, listShards }: TableToCopy, item: Item): Item => {
  const partition = item[listIndex.partitionKey]?.S;
  if (partition === undefined) return item;
  const { noun, isForeign } = kinds[kind];
  if (isForeign(partition)) throw new StaffError(`The table ${source.table} holds no ${noun}s: give another --table.`);
  const id = item['id']?.S;
  if (kind !== 'contacts' || id === undefined) return item;
  const spam = partition.startsWith(listPartitions.spam);
  if (partitionsOf(spam, listShards).includes(partition)) return item;
  return { ...item, [listIndex.partitionKey]: { S: listPartition(id, spam, listShards) } };
};

/** An item without the number of its list partition, which says nothing of what it holds: it may be another in each table. */
export const withoutShard = (item: Item): Item => {
  const partition = item[listIndex.partitionKey]?.S;
  return partition === undefined ? item : { ...item, [listIndex.partitionKey]: { S: partition.replace(/#\d+$/, '#') } };
};
