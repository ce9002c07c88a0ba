import { type Contact, firstField, storedContact } from '../../../functions/contacts/contact.ts';
import type { ContactRange } from '../../../functions/contacts/store.ts';
import { listedAtOf } from '../../../functions/contacts/table.ts';
import { printJsonList } from '../command-line/json.ts';
import { type Column, printTable } from '../command-line/table.ts';
import type { Staff } from '../context.ts';
import { sayLeftOut } from '../tables/left-out.ts';
import { readContacts } from './read.ts';

interface ListColumn extends Column {
  readonly cell: (contact: Contact) => string;
}

const id: ListColumn = { head: 'ID', cell: (contact) => contact.id };
const from: ListColumn = {
  head: 'FROM',
  shrinks: true,
  cell: (contact) => contact[firstField] ?? contact.phone ?? '',
};
const message: ListColumn = { head: 'MESSAGE', shrinks: true, cell: (contact) => contact.message };

const columns: readonly ListColumn[] = [
  { head: 'TIME', cell: listedAtOf },
  id,
  from,
  { head: 'SITE', shrinks: true, cell: ({ site = '' }) => site },
  message,
];

/** What leaves room for the message on a terminal of 80 columns. */
const fewColumns: readonly ListColumn[] = [
  { head: 'TIME (UTC)', cell: (contact) => listedAtOf(contact).slice(0, 16).replace('T', ' ') },
  id,
  from,
  message,
];

/** Of a terminal, in columns. */
const wide = 120;

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
  const { isTTY, columns: width } = staff.stdout;
  const shown = isTTY && width && width < wide ? fewColumns : columns;
  const rows = async function* () {
    for await (const page of pages) yield page.map((contact) => shown.map(({ cell }) => cell(contact)));
  };
  await printTable(staff, shown, rows());
};
