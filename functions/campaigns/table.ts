import { idAtEndOf, uuidForm } from '../uuid.ts';

/** Sorts before every character that a name may hold, so that a name stands before one that it begins. */
export const nameEnd = '\u001f';

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
    // In lower case a character of a name may become two.
    sortKeyForm: new RegExp(`^\\P{Cc}{1,400}${nameEnd}${uuidForm}$`, 'u'),
    tableKeyOf: (sortKey: string) => ({ id: idAtEndOf(sortKey) }),
  },
} as const;
