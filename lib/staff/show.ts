import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { fieldNames, type StaffContact, staffContact } from '../../functions/contacts/contact.ts';
import type { ContactRange } from '../../functions/contacts/store.ts';
import { expiring, listedAtOf } from '../../functions/contacts/table.ts';
import { StaffError } from '../staff-error.ts';
import { noContact, readContacts } from '../tables/contact-table.ts';
import type { Result } from './command.ts';
import { type CommandIo, sayUnreadable } from './command-io.ts';
import type { StaffEnvironment } from './environment.ts';
import { block, cut, type Entry } from './text-table.ts';

/** A terminal with fewer columns has no room for site and form. */
const wide = 120;

export interface ListOptions {
  readonly keeps?: ((contact: StaffContact) => boolean) | undefined;
  readonly limit?: number | undefined;
}

/** Lists contact requests, newest first. */
export const listContacts = async (
  { tables }: StaffEnvironment,
  range: ContactRange,
  options: ListOptions,
  io: CommandIo,
): Promise<Result> => {
  const leaveOut = sayUnreadable(io, 'contact request');
  const read = { ...options, schema: staffContact, leaveOut, signal: io.signal };
  const pages = readContacts(tables.contacts, range, read);
  const isNarrow = io.columns < wide;
  const rowOf = (contact: StaffContact) => {
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
  return { json: pages, text: { heads, rows: rows() } };
};

const shownItem = v.object({ ...staffContact.entries, ...expiring.entries });

/**
 * Shows a contact request. Its JSON is the API's response; the text also has the expiry.
 * @throws {StaffError} if there is none, it has expired, or its item is unreadable
 */
export const showContact = async (environment: StaffEnvironment, id: string): Promise<Result> => {
  const { client, table } = environment.tables.contacts;
  const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  if (!item) throw noContact(id);
  const read = v.safeParse(shownItem, item);
  if (!read.success) {
    throw new StaffError(`The contact request ${id} is unreadable: see docs/runbook.md#unreadable-items.`);
  }
  const { expiresAt, ...contact } = read.output;
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt * 1000);
  if (expiry && expiry <= environment.now()) {
    throw new StaffError(`The contact request ${id} expired at ${expiry.toISOString()} and is no longer shown.`);
  }
  const { extra = {}, spamReason, ...fields } = contact;
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['id', id],
    ['createdAt', fields.createdAt],
    ['releasedAt', fields.releasedAt],
    ['expires', expiry?.toISOString() ?? 'never'],
    ['spam', spamReason === undefined ? 'no' : `yes (${spamReason})`],
    ['site', fields.site],
    ['form', fields.form],
    ['campaign', fields.campaign],
    ...fieldNames.map((name) => [name, fields[name]] as const),
  ];
  const given = entries.flatMap(([label, value]): Entry[] => (value === undefined ? [] : [[label, value]]));
  const others = Object.entries(extra).map(([name, value]): Entry => [name, [value].flat().join('\n')]);
  const extraText = others.length > 0 ? `extra\n${block(others, '  ')}` : '';
  return { json: contact, text: block(given) + extraText };
};
