import * as v from 'valibot';
import { idInSortKey, uuidPattern } from '../shared/uuid.ts';

/** Sorts before every character of a name, so that a name precedes the names that begin with it. */
const nameEnd = '\u001f';

/** The campaigns table, for the infrastructure and the store. */
export const campaignsTable = {
  /** The environment variable with the table's name. */
  variable: 'CAMPAIGNS_TABLE',
  partitionKey: 'id',
  /** Lists by name; all campaigns share one partition. */
  listIndex: {
    name: 'list',
    partitionKey: 'listPartition',
    sortKey: 'listSort',
    // One character may become two in lower case.
    sortKeyPattern: new RegExp(`^\\P{Cc}{1,400}${nameEnd}${uuidPattern}$`, 'u'),
    tableKeyOf: (sortKey: string) => ({ id: idInSortKey(sortKey) }),
  },
} as const;

/** A campaign: interface.md, section 2. */
export interface Campaign {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
}

/** The list's only partition: campaigns are few. */
export const campaignsPartition = 'campaigns';

/** A name in the form that is sorted and compared, without case. */
export const comparable = (name: string): string => name.toLowerCase();

/** The item of a campaign. It sorts by name without case, then by id. */
export const toItem = ({ id, name }: Campaign) => ({
  id,
  name,
  [campaignsTable.listIndex.partitionKey]: campaignsPartition,
  [campaignsTable.listIndex.sortKey]: `${comparable(name)}${nameEnd}${id}`,
});

/** A stored campaign. */
export const campaignItem = v.object({ id: v.string(), name: v.string() });
