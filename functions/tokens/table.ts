/** Keys of the tokens table: the infrastructure creates them, the store uses them. */
export const tokensTable = {
  partitionKey: 'tokenHash',
  /** Lists by name, for the staff command; all tokens share one partition. */
  listIndex: { name: 'list', partitionKey: 'listPartition', sortKey: 'name' },
} as const;
