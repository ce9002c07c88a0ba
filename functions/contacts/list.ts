import * as v from 'valibot';
import { prefers } from '../http/accept.ts';
import { inboxCors } from '../http/cors.ts';
import { httpHandler } from '../http/handler.ts';
import { cursorOf, linkHeader, reportUnreadable } from '../http/paging.ts';
import { parseQuery, rfc3339Time, wholeNumber } from '../http/query.ts';
import type { HttpRequest } from '../http/request.ts';
import { json, textResponse } from '../http/response.ts';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import type { StaffContact } from './contact.ts';
import type { ContactListStore } from './contact-store.ts';
import { contactsTable } from './contacts-table.ts';
import { contactCsvHeader, toContactCsvRow } from './csv.ts';
import { type listSettings, selectedBy, selectingNames, selectionParameters } from './selection.ts';

const trueOrFalse = v.picklist(['true', 'false'], 'Use true or false.');

/**
 * The query parameters of the list of contact requests.
 * @param cursorList cursors carry it
 */
export const listParameters = (cursorList: string) => ({
  limit: v.optional(wholeNumber(1, 200), '50'),
  order: v.optional(v.picklist(['asc', 'desc'], 'Use asc or desc.'), 'desc'),
  cursor: v.optional(cursorOf(cursorList, contactsTable.listIndex.sortKeyPattern)),
  since: v.optional(rfc3339Time),
  until: v.optional(rfc3339Time),
  spam: v.optional(trueOrFalse, 'false'),
  ...selectionParameters,
});

/** In environments with triage, there is one more. By it a page learns whether there is triage. */
export const triageParameters = { answered: v.optional(trueOrFalse) };

interface ListContactsOptions extends v.InferOutput<typeof listSettings> {
  readonly store: ContactListStore;
  readonly inboxOrigins?: readonly string[] | undefined;
  readonly count: CountMetric;
  readonly now: () => Date;
}

/** Spam is a list of its own, and so is each order. */
const listNameOf = ({ query }: HttpRequest) => {
  const asksFor = (name: string, value: string) => query.get(name)?.at(0) === value;
  const spam = asksFor('spam', 'true') ? ' marked as spam' : '';
  const order = asksFor('order', 'asc') ? ', oldest first' : '';
  return `contacts${spam}${order}`;
};

/** A cursor of one list is invalid in another, and under another selection. Logs must not hold this: it can hold an address. */
const cursorListOf = ({ query }: HttpRequest, listName: string) => {
  const selection = [...selectingNames, 'answered'].flatMap((name) =>
    query.has(name) ? [[name, query.get(name)]] : [],
  );
  return selection.length > 0 ? `${listName} ${JSON.stringify(selection)}` : listName;
};

/**
 * The end of an ascending list: the time when its reading began, which its links carry. Without it, a reader who takes
 * minutes over the pages would miss items that the index showed late, behind the last page (docs/decisions.md).
 */
const forwardEnd = (until: string | undefined, now: Date): string => {
  const end = now.getTime() + 1;
  return new Date(until === undefined ? end : Math.min(end, Date.parse(until))).toISOString();
};

/**
 * Lambda's responses have at most 6 MB, with the body as a JSON string. Pages end before that, so that even the largest
 * contact requests can be read. What a selection leaves out counts, too, because reading it costs time and money.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxPageBytes = 5 * 1024 * 1024;

/** Milliseconds. A selection that finds little would read on until the function's time is over. */
const maxSearchTime = 2_000;

/** GET /api/v1/contact (interface.md, section 4.2), as JSON or CSV. */
export const listContacts = ({ store, triage, inboxOrigins, count, now }: ListContactsOptions) =>
  httpHandler(async (request, signal) => {
    const listName = listNameOf(request);
    const cursorList = cursorListOf(request, listName);
    const parameters = listParameters(cursorList);
    const { limit, order, cursor, since, until, spam, answered, ...selection } = triage
      ? parseQuery(request.query, { ...parameters, ...triageParameters })
      : { ...parseQuery(request.query, parameters), answered: undefined };
    const time = now();
    const keeps = selectedBy(selection, answered && answered === 'true');
    const end = order === 'asc' ? forwardEnd(until, time) : until;
    const isCsv = prefers(request, 'text/csv');
    const write = isCsv ? toContactCsvRow : (contact: StaffContact) => JSON.stringify(contact);
    const page = await store.list({
      limit,
      order: order === 'asc' ? 'ascending' : 'descending',
      after: cursor,
      since,
      until: end,
      spam: spam === 'true',
      now: time,
      keeps,
      isOver: keeps && (() => now().getTime() >= time.getTime() + maxSearchTime),
      byteLimit: { bytesOf: (contact) => Buffer.byteLength(JSON.stringify(write(contact))), maxBytes: maxPageBytes },
      signal,
    });
    reportUnreadable(listName, page.unreadable, count);
    // Records who read what: docs/security.md.
    log('info', 'contact requests listed', {
      requestId: request.id,
      tokenId: request.tokenId,
      count: page.items.length,
    });
    const link = linkHeader(request, cursorList, page.next, end === undefined ? {} : { until: end });
    return isCsv
      ? textResponse(200, 'text/csv', contactCsvHeader + page.items.map(write).join(''), link)
      : json(200, page.items, link);
  }, inboxCors(inboxOrigins));
