import * as v from 'valibot';
import { cleanText } from '../shared/text.ts';
import { idAtEndOf, uuidForm } from '../shared/uuid.ts';

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

/** A campaign: interface.md, section 2. */
export interface Campaign {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
}

/** A campaign's name: trimmed, in Unicode's form NFC, 1 to 200 characters on one line. */
export const campaignName = v.pipe(
  v.string(),
  v.transform(cleanText),
  v.check((name) => name !== '', 'A campaign needs a name.'),
  v.check((name) => [...name].length <= 200, 'A campaign name has 200 characters at most.'),
  v.check((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'A campaign name is one line of text.'),
);

/** Campaigns are few: they share one partition of the list. */
export const campaignsPartition = 'campaigns';

/** A name as it is sorted and compared: whatever its case. */
export const comparable = (name: string): string => name.toLowerCase();

/** The item of a campaign; it sorts by name, whatever its case, then by id. */
export const toItem = ({ id, name }: Campaign) => ({
  id,
  name,
  [campaignsTable.listIndex.partitionKey]: campaignsPartition,
  [campaignsTable.listIndex.sortKey]: `${comparable(name)}${nameEnd}${id}`,
});

/** Reads a campaign back from its item. */
export const campaignItem = v.object({ id: v.string(), name: v.string() });
