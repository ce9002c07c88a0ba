import { type Contact, type StaffContact, staffContact } from '../../functions/contacts/contact.ts';
import { contactCsvHeader, toContactCsvRow } from '../../functions/contacts/csv.ts';
import type { ContactRange } from '../../functions/contacts/store.ts';
import { readContacts } from '../tables/contact-table.ts';
import { count, printableJson } from '../terminal-text.ts';
import type { Result } from './command.ts';
import { type CommandIo, sayUnreadable } from './command-io.ts';
import type { StaffEnvironment } from './environment.ts';
import { writeWholeFile } from './files.ts';
import { type Person, readPerson, searchFor } from './person.ts';

export interface ExportOptions extends Person {
  /** Keeps the contact requests for which it holds. @defaultValue all */
  readonly keeps?: ((contact: Contact) => boolean) | undefined;
  /** `csv` has a header row and is safe in spreadsheets; `jsonl` has one JSON object a line, as the API answers it. */
  readonly format: 'csv' | 'jsonl';
  /** @defaultValue the standard output */
  readonly output?: string | undefined;
}

/** Adds a filter for the person, if one is given. */
const personFilter = async ({ keeps = () => true, ...given }: ExportOptions, io: CommandIo) => {
  const person = await readPerson(given, io);
  if (person.email === undefined && person.phone === undefined) return keeps;
  const { tracesIn } = searchFor(person);
  return (contact: Contact) => keeps(contact) && tracesIn(contact).length > 0;
};

/** Exports contact requests, newest first, and says how many. */
export const exportContacts = async (
  { tables }: StaffEnvironment,
  range: ContactRange,
  options: ExportOptions,
  io: CommandIo,
): Promise<Result> => {
  const { format, output } = options;
  const keeps = await personFilter(options, io);
  const toLine = format === 'csv' ? toContactCsvRow : (contact: StaffContact) => `${printableJson(contact)}\n`;
  let done = 0;

  const chunks = async function* () {
    // Progress would mix with an export to the terminal.
    using progress = output === undefined && io.isTerminal ? undefined : io.progress('contact request', 'exported');
    const leaveOut = sayUnreadable(io, 'contact request');
    const read = { schema: staffContact, keeps, leaveOut, signal: io.signal };
    if (format === 'csv') yield contactCsvHeader;
    for await (const page of readContacts(tables.contacts, range, read)) {
      yield page.map(toLine).join('');
      done += page.length;
      progress?.report(done);
    }
  };

  if (output !== undefined) await writeWholeFile(output, chunks());
  return {
    text: output === undefined ? chunks() : '',
    note: () => `Exported ${count(done, 'contact request')}.`,
  };
};
