import * as v from 'valibot';
import { type Contact, storedContact } from '../../../functions/contacts/contact.ts';
import { contactCsvHeader, toContactCsvRow, toRawContactCsvRow } from '../../../functions/contacts/csv.ts';
import type { ContactRange } from '../../../functions/contacts/store.ts';
import { writeWholeFile } from '../command-line/files.ts';
import { print } from '../command-line/output.ts';
import { withProgress } from '../command-line/progress.ts';
import { openQuestions } from '../command-line/questions.ts';
import { count, printableJson } from '../command-line/text.ts';
import type { Staff } from '../context.ts';
import { sayLeftOut } from '../tables/left-out.ts';
import { readPerson, searchFor } from './person.ts';
import type { PersonGiven } from './person-given.ts';
import { readContacts } from './read.ts';

export interface ExportOptions extends PersonGiven {
  /** Only those of a site. @defaultValue all */
  readonly site?: string | undefined;
  /** `jsonl`: one JSON object a line, as the API answers it. `csv`: with a header row. */
  readonly format: 'csv' | 'jsonl';
  /** CSV as it was sent: what a spreadsheet could take for a formula stays one. */
  readonly raw: boolean;
  /** Begins with the byte order mark by which Excel knows UTF-8. */
  readonly bom: boolean;
  /** The file that is written. @defaultValue the standard output */
  readonly output?: string | undefined;
  /** Whether it may take the place of a file. */
  readonly force: boolean;
}

const byteOrderMark = '\ufeff';

const toJsonLine = (contact: Contact) => `${printableJson(contact)}\n`;

/** Which are chosen by more than their place in the list; nothing where that says it all. */
const choose = async (staff: Staff, { site, email, phone }: ExportOptions) => {
  const questions = openQuestions(staff);
  try {
    const person = await readPerson(staff, questions, { email, phone });
    const search = person.email === undefined && person.phone === undefined ? undefined : searchFor(person);
    if (site === undefined && !search) return undefined;
    return (contact: Contact) =>
      (site === undefined || contact.site === site) && (!search || search.tracesIn(contact).length > 0);
  } finally {
    questions.close();
  }
};

const withSites = v.object({ sites: v.array(v.object({ origin: v.string() })) });

/** The sites that the settings give to an environment by now, `local` those of `dev`; nothing where they do not say. */
const sitesOf = async ({ loadSettings, environment }: Staff): Promise<string | undefined> => {
  const { file, environments } = await loadSettings();
  const written = v.safeParse(withSites, environments[environment === 'local' ? 'dev' : environment]);
  if (!written.success) return undefined;
  return `The sites in ${file} are: ${written.output.sites.map(({ origin }) => origin).join(', ') || 'none'}.`;
};

/** Writes contact requests, newest first, and says on stderr how many. */
export const exportContacts = async (staff: Staff, range: ContactRange, options: ExportOptions): Promise<void> => {
  const { site, format, raw, bom, output, force } = options;
  const { stdout, stderr } = staff;
  const keeps = await choose(staff, options);
  const toCsvLine = raw ? toRawContactCsvRow : toContactCsvRow;
  const toLine = format === 'csv' ? toCsvLine : toJsonLine;
  let done = 0;

  const write = async (report: (done: number) => void) => {
    const pages = readContacts(staff, range, {
      schema: storedContact,
      keeps,
      leaveOut: sayLeftOut(staff, 'contact request'),
      report: (amount) => {
        done = amount;
        report(amount);
      },
    });
    const chunks = async function* () {
      if (format === 'csv') yield `${bom ? byteOrderMark : ''}${contactCsvHeader}`;
      for await (const page of pages) yield page.map(toLine).join('');
    };
    await (output === undefined ? print(staff, chunks()) : writeWholeFile(output, chunks(), { force }));
  };
  // On a terminal that shows what is exported, progress would stand between the lines.
  if (output === undefined && stdout.isTTY) await write(() => {});
  else await withProgress(staff, ['contact request', 'exported'], write);
  stderr.write(`Exported ${count(done, 'contact request')}.\n`);
  if (done > 0 || site === undefined) return;
  const sites = await sitesOf(staff);
  if (sites !== undefined) stderr.write(`Is it ${site}? ${sites}\n`);
};
