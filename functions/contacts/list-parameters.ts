import * as v from 'valibot';
import { cursorOf } from '../cursor.ts';
import { wholeNumber } from '../http/query.ts';
import { rfc3339Time } from '../http/time.ts';
import { contactsTable } from './table.ts';

/** What the list of contact requests may be asked. @param list as its cursors know it */
export const listParameters = (list: string) => ({
  limit: v.optional(wholeNumber(1, 200), '50'),
  order: v.optional(v.picklist(['asc', 'desc'], 'Use asc or desc.'), 'desc'),
  cursor: v.optional(cursorOf(list, contactsTable.listIndex.sortKeyForm)),
  since: v.optional(rfc3339Time),
  until: v.optional(rfc3339Time),
  spam: v.optional(v.picklist(['true', 'false'], 'Use true or false.'), 'false'),
});
