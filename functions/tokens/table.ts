/** The tokens table: the infrastructure creates it, the store uses it. */
export const tokensTable = {
  /** The environment variable that tells a function the table's name. */
  variable: 'TOKENS_TABLE',
  partitionKey: 'tokenHash',
  /** Lists by name, for the staff command; all tokens share one partition. */
  listIndex: { name: 'list', partitionKey: 'listPartition', sortKey: 'name' },
} as const;
