import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { fieldNames, storedContact } from '../../functions/contacts/contact.ts';
import type { ContactRange } from '../../functions/contacts/store.ts';
import { expiring, listedAtOf, marked } from '../../functions/contacts/table.ts';
import type { Staff } from './command.ts';
import { noContact, readContacts, tableOf } from './contact-table.ts';
import { print, printJson, printJsonList, sayUnreadable } from './output.ts';
import { block, cut, type Entry, printTable, widthOf } from './print-table.ts';
import { StaffError } from './staff-error.ts';

/** A terminal with fewer columns has no room for site and form. */
const wide = 120;

/** A contact request, with the reason if it is spam. */
const shownContact = v.object({ ...storedContact.entries, ...marked.entries });

type ShownContact = v.InferOutput<typeof shownContact>;

export interface ListOptions {
  readonly keeps?: ((contact: ShownContact) => boolean) | undefined;
  readonly limit?: number | undefined;
  readonly json: boolean;
}

/** Prints contact requests, newest first: a table for people, an array for programs. */
export const listContacts = async (
  staff: Staff,
  range: ContactRange,
  { json, ...options }: ListOptions,
): Promise<void> => {
  const leaveOut = sayUnreadable(staff, 'contact request');
  const pages = readContacts(staff, range, { ...options, schema: shownContact, leaveOut });
  if (json) return printJsonList(staff, pages);
  const isNarrow = widthOf(staff) < wide;
  const rowOf = (contact: ShownContact) => {
    const { spamReason = '', id, site = '', form = '', message = '', phone = '', email: from = phone } = contact;
    const listedAt = listedAtOf(contact);
    const reason = range.spam ? [spamReason] : [];
    return isNarrow
      ? [listedAt.slice(0, 16).replace('T', ' '), id, ...reason, cut(from, 12), message]
      : [listedAt, id, ...reason, from, site, form, message];
  };
  const rows = async function* () {
    for await (const page of pages) yield page.map(rowOf);
  };
  const reasonHead = range.spam ? ['REASON'] : [];
  const heads = isNarrow
    ? ['TIME (UTC)', 'ID', ...reasonHead, 'FROM', 'MESSAGE']
    : ['TIME', 'ID', ...reasonHead, 'FROM', 'SITE', 'FORM', 'MESSAGE'];
  await printTable(staff, heads, rows());
};

const shownItem = v.object({ ...shownContact.entries, ...expiring.entries });

/**
 * Prints a contact request. `--json` is the API's answer plus the spam reason; the text also has the expiry.
 * @throws {StaffError} if there is none, it has expired, or its item is unreadable
 */
export const showContact = async (staff: Staff, id: string, json: boolean): Promise<void> => {
  const { client, table } = tableOf(staff);
  const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  if (!item) throw noContact(id);
  const read = v.safeParse(shownItem, item);
  if (!read.success) {
    throw new StaffError(`The contact request ${id} is unreadable: see docs/runbook.md#unreadable-items.`);
  }
  const { expiresAt, ...contact } = read.output;
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt * 1000);
  if (expiry && expiry <= staff.environment.now()) {
    throw new StaffError(`The contact request ${id} expired at ${expiry.toISOString()} and is no longer shown.`);
  }
  if (json) return printJson(staff, contact);

  const { extra = {}, spamReason, ...fields } = contact;
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['id', id],
    ['createdAt', fields.createdAt],
    ['releasedAt', fields.releasedAt],
    ['expires', expiry?.toISOString() ?? 'never'],
    ['spam', spamReason === undefined ? 'no' : `yes (${spamReason})`],
    ['site', fields.site],
    ['form', fields.form],
    ...fieldNames.map((name) => [name, fields[name]] as const),
  ];
  const given = entries.flatMap(([label, value]): Entry[] => (value === undefined ? [] : [[label, value]]));
  const others = Object.entries(extra).map(([name, value]): Entry => [name, [value].flat().join('\n')]);
  await print(staff, [block(given), ...(others.length > 0 ? ['extra\n', block(others, '  ')] : [])]);
};
