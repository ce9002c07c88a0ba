import { type Contact, firstField, storedContact } from '../../../functions/contacts/contact.ts';
import type { ContactRange } from '../../../functions/contacts/list-store.ts';
import { placeOf } from '../../../functions/contacts/place.ts';
import { printJsonList } from '../command-line/json.ts';
import { printTable } from '../command-line/table.ts';
import type { Staff } from '../context.ts';
import { sayLeftOut } from '../tables/left-out.ts';
import { readContacts } from './read.ts';

const columns = [
  { head: 'TIME' },
  { head: 'ID' },
  { head: 'FROM', shrinks: true },
  { head: 'SITE', shrinks: true },
  { head: 'MESSAGE', shrinks: true },
];

const rowOf = (contact: Contact) => [
  placeOf(contact),
  contact.id,
  contact[firstField] ?? contact.phone ?? '',
  contact.site ?? '',
  contact.message,
];

export interface ListOptions {
  readonly keeps?: ((contact: Contact) => boolean) | undefined;
  readonly limit?: number | undefined;
  readonly json: boolean;
}

/** Prints contact requests, newest first: a table for people, an array for programs. */
export const listContacts = async (
  staff: Staff,
  range: ContactRange,
  { json, ...options }: ListOptions,
): Promise<void> => {
  const pages = readContacts(staff, range, {
    ...options,
    schema: storedContact,
    leaveOut: sayLeftOut(staff, 'contact request'),
  });
  if (json) return printJsonList(staff, pages);
  const rows = async function* () {
    for await (const page of pages) yield page.map(rowOf);
  };
  await printTable(staff, columns, rows());
};
