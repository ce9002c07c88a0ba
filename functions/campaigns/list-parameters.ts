import * as v from 'valibot';
import { cursorOf } from '../cursor.ts';
import { wholeNumber } from '../http/query.ts';
import { campaignsTable } from './table.ts';

/** The list, as its cursors and logs know it. */
export const list = 'campaigns';

/** What the list of campaigns may be asked. */
export const listParameters = {
  limit: v.optional(wholeNumber(1, 1000), '1000'),
  cursor: v.optional(cursorOf(list, campaignsTable.listIndex.sortKeyForm)),
};
