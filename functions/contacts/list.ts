import { createDocumentClient } from '../dynamodb.ts';
import { prefers } from '../http/accept.ts';
import { httpHandler } from '../http/handler.ts';
import { linkHeader } from '../http/link-header.ts';
import { parseQuery } from '../http/query.ts';
import type { HttpRequest } from '../http/request.ts';
import { json, text } from '../http/response.ts';
import { type CountMetric, embeddedMetrics, metricsVariables } from '../metrics.ts';
import { eventOfNobody, prime } from '../prime.ts';
import { reportUnreadable } from '../unreadable-items.ts';
import { readTableName, readVariables } from '../variables.ts';
import type { Contact } from './contact.ts';
import { contactCsvHeader, toContactCsvRow } from './csv.ts';
import { listParameters } from './list-parameters.ts';
import { type ContactListStore, contactListStore } from './list-store.ts';
import { logAccess } from './log-access.ts';
import { contactsTable } from './table.ts';

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

const now = () => new Date();

const variables = readVariables(metricsVariables);

export const handler = listContacts({
  store: contactListStore(createDocumentClient(), readTableName(contactsTable)),
  count: embeddedMetrics(variables.ENVIRONMENT, now),
  now,
});

export const primed = prime(
  handler,
  eventOfNobody('GET /api/v1/contact', { multiValueQueryStringParameters: { limit: ['1'] } }),
);
