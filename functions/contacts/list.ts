import * as v from 'valibot';
import { httpHandler } from '../http/handler.ts';
import { prefers } from '../http/media-types.ts';
import { cursorOf, linkHeader, reportUnreadable } from '../http/paging.ts';
import { parseQuery, rfc3339Time, wholeNumber } from '../http/query.ts';
import type { HttpRequest } from '../http/request.ts';
import { json, text } from '../http/response.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { logAccess } from './by-id.ts';
import type { Contact } from './contact.ts';
import { contactCsvHeader, toContactCsvRow } from './csv.ts';
import type { ContactListStore } from './store.ts';
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

export interface ListContactsOptions {
  readonly store: ContactListStore;
  readonly count: CountMetric;
  readonly now: () => Date;
}

/** What is marked as spam is a list of its own, and so is each order: a place in one is none in the other. */
const listOf = ({ query }: HttpRequest) => {
  const is = (name: string, value: string) => query.get(name)?.at(0) === value;
  return `contacts${is('spam', 'true') ? ' marked as spam' : ''}${is('order', 'asc') ? ', oldest first' : ''}`;
};

/**
 * Where a list that is read forward ends: at the time when its reading began, which its links carry on. Without an end, who
 * takes minutes over its pages would go on from a place that is too far beyond what the index showed late, behind them
 * (docs/decisions.md).
 */
const forwardEnd = (until: string | undefined, now: Date): string => {
  const end = now.getTime() + 1;
  return new Date(until === undefined ? end : Math.min(end, Date.parse(until))).toISOString();
};

/**
 * Lambda answers with 6 MB at most, the body as a text within JSON; a page ends before, so that the largest contact requests
 * can be read, too. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxPageBytes = 5 * 1024 * 1024;

/** GET /api/v1/contact: interface.md, section 4.2; as CSV for who prefers it. */
export const listContacts = ({ store, count, now }: ListContactsOptions) =>
  httpHandler(async (request, signal) => {
    const list = listOf(request);
    const { limit, order, cursor, since, until, spam } = parseQuery(request.query, listParameters(list));
    const time = now();
    const end = order === 'asc' ? forwardEnd(until, time) : until;
    const isCsv = prefers(request, 'text/csv');
    const write = isCsv ? toContactCsvRow : (contact: Contact) => JSON.stringify(contact);
    const page = await store.list({
      limit,
      order: order === 'asc' ? 'ascending' : 'descending',
      after: cursor,
      since,
      until: end,
      spam: spam === 'true',
      now: time,
      room: { bytesOf: (contact) => Buffer.byteLength(JSON.stringify(write(contact))), maxBytes: maxPageBytes },
      signal,
    });
    reportUnreadable(list, page, count);
    logAccess('contact requests listed', request, { count: page.items.length });
    const link = linkHeader(request, list, page.next, end === undefined ? {} : { until: end });
    return isCsv
      ? text(200, 'text/csv', contactCsvHeader + page.items.map(write).join(''), link)
      : json(200, page.items, link);
  });
