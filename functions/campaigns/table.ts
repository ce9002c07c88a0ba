import { idAtEndOf } from '../uuid.ts';

/** The campaigns table: the infrastructure creates it, the store uses it. */
export const campaignsTable = {
  /** The environment variable that tells a function the table's name. */
  variable: 'CAMPAIGNS_TABLE',
  partitionKey: 'id',
  /** Lists by name; all campaigns share one partition. */
  listIndex: {
    name: 'list',
    partitionKey: 'listPartition',
    sortKey: 'listSort',
    tableKeyOf: (sortKey: string) => ({ id: idAtEndOf(sortKey) }),
  },
} as const;
