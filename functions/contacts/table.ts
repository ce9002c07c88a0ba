import { idAtEndOf, uuidForm } from '../uuid.ts';

/** The contacts table: the infrastructure creates it, the store uses it. */
export const contactsTable = {
  /** The environment variable that tells a function the table's name. */
  variable: 'CONTACTS_TABLE',
  partitionKey: 'id',
  /** Lists by place; one partition each for the inbox and for spam. */
  listIndex: {
    name: 'list',
    partitionKey: 'listPartition',
    sortKey: 'listSort',
    sortKeyForm: new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z#${uuidForm}$`),
    tableKeyOf: (sortKey: string) => ({ id: idAtEndOf(sortKey) }),
  },
  /** The partition of each list. */
  listPartitions: { inbox: 'inbox', spam: 'spam' },
} as const;
