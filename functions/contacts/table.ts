/** Keys of the contacts table: the infrastructure creates them, the store uses them. */
export const contactsTable = {
  partitionKey: 'id',
  /** Lists newest first; one partition a shard (docs/decisions/0002). */
  listIndex: { name: 'list', partitionKey: 'listPartition', sortKey: 'listSort' },
} as const;
