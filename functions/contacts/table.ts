/** Keys of the contacts table: the infrastructure creates them, the store uses them. */
export const contactsTable = {
  partitionKey: 'id',
  /** Lists newest first; one partition a shard (docs/decisions/0002). */
  listIndex: { name: 'list', partitionKey: 'listPartition', sortKey: 'listSort' },
  /** What the partitions of each list begin with; the shard's number follows. */
  listPartitions: { inbox: 'inbox#', spam: 'spam#' },
} as const;
