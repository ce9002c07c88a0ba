import { type StaffContact, staffContact } from '../../../functions/contacts/contact.ts';
import { readContacts } from '../../../functions/contacts/manage-contacts.ts';
import { count, printableJson } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { writeWholeFile } from '../tool/files.ts';
import { countExtraNames, csvWithExtraColumns } from './export-csv.ts';
import { type SelectionOptions, selectContacts } from './select-contacts.ts';

interface ExportOptions extends SelectionOptions {
  /** `csv` has a header row and is safe in spreadsheets; `jsonl` has one JSON object a line, as in the API's responses. */
  readonly format: 'csv' | 'jsonl';
  /** What separates the cells of CSV. */
  readonly separator: ',' | ';';
  /** @defaultValue the standard output */
  readonly output?: string | undefined;
}

/** Excel reads a file as UTF-8 only behind it. */
const byteOrderMark = '\ufeff';

/** Exports contact requests, newest first, and says how many. */
export const exportContacts = async (
  environment: StaffEnvironment,
  options: ExportOptions,
  io: CommandIo,
): Promise<Result> => {
  const { format, separator, output } = options;
  const { range, keeps } = await selectContacts(environment, options, io);
  let done = 0;

  const read = (leaveOut: (id: string) => void) =>
    readContacts(environment.tables.contacts, range, { schema: staffContact, keeps, leaveOut, signal: io.signal });

  /** Reads the list once more, for its columns. What arrives between the two readings has its fields in `extra`, at worst. */
  const openCsv = async () => {
    using progress = io.progress('contact request', 'read');
    const names = countExtraNames();
    let counted = 0;
    for await (const page of read(() => {})) {
      page.forEach(names.add);
      counted += page.length;
      progress.report(counted);
    }
    return csvWithExtraColumns(names.mostFrequent(), separator);
  };

  const jsonLines = { header: '', toRow: (contact: StaffContact) => `${printableJson(contact)}\n` };

  const chunks = async function* () {
    const { header, toRow } = format === 'csv' ? await openCsv() : jsonLines;
    // Progress would mix with an export to the terminal.
    using progress = output === undefined && io.isTerminal ? undefined : io.progress('contact request', 'exported');
    if (output !== undefined && format === 'csv') yield byteOrderMark;
    yield header;
    for await (const page of read(sayUnreadable(io, 'contact request'))) {
      yield page.map(toRow).join('');
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
