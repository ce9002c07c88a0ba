import { type Contact, storedContact } from '../../functions/contacts/contact.ts';
import { contactCsvHeader, toContactCsvRow } from '../../functions/contacts/csv.ts';
import type { ContactRange } from '../../functions/contacts/store.ts';
import type { Staff } from './command.ts';
import { readContacts } from './contact-table.ts';
import { writeWholeFile } from './files.ts';
import { print, sayUnreadable, withProgress } from './output.ts';
import { type Person, readPerson, searchFor } from './person.ts';
import { openQuestions } from './questions.ts';
import { count, printableJson } from './text.ts';

export interface ExportOptions extends Person {
  /** Keeps the contact requests for which it holds. @defaultValue all */
  readonly keeps?: ((contact: Contact) => boolean) | undefined;
  /** `csv` has a header row and is safe in spreadsheets; `jsonl` has one JSON object a line, as the API answers it. */
  readonly format: 'csv' | 'jsonl';
  /** @defaultValue the standard output */
  readonly output?: string | undefined;
}

/** Adds a filter for the person, if one is given. */
const personFilter = async (staff: Staff, { keeps = () => true, email, phone }: ExportOptions) => {
  const questions = openQuestions(staff);
  try {
    const person = await readPerson(staff, questions, { email, phone });
    const search = person.email === undefined && person.phone === undefined ? undefined : searchFor(person);
    return search ? (contact: Contact) => keeps(contact) && search.tracesIn(contact).length > 0 : keeps;
  } finally {
    questions.close();
  }
};

/** Writes contact requests, newest first, and says on stderr how many. */
export const exportContacts = async (staff: Staff, range: ContactRange, options: ExportOptions): Promise<void> => {
  const { format, output } = options;
  const { stdout, stderr } = staff;
  const keeps = await personFilter(staff, options);
  const toLine = format === 'csv' ? toContactCsvRow : (contact: Contact) => `${printableJson(contact)}\n`;
  let done = 0;

  const write = async (report: (done: number) => void) => {
    const pages = readContacts(staff, range, {
      schema: storedContact,
      keeps,
      leaveOut: sayUnreadable(staff, 'contact request'),
    });
    const chunks = async function* () {
      if (format === 'csv') yield contactCsvHeader;
      for await (const page of pages) {
        yield page.map(toLine).join('');
        done += page.length;
        report(done);
      }
    };
    await (output === undefined ? print(staff, chunks()) : writeWholeFile(output, chunks()));
  };
  // Progress would mix with an export to the terminal.
  if (output === undefined && stdout.isTTY) await write(() => {});
  else await withProgress(staff, ['contact request', 'exported'], write);
  stderr.write(`Exported ${count(done, 'contact request')}.\n`);
};
