/** Keys of the campaigns table: the infrastructure creates them, the store uses them. */
export const campaignsTable = {
  partitionKey: 'id',
  /** Lists by name; all campaigns share one partition. */
  listIndex: { name: 'list', partitionKey: 'listPartition', sortKey: 'listSort' },
} as const;
