import type { Contact } from '../../../functions/contacts/contact.ts';
import { contactCsvHeader, toContactCsvRow } from '../../../functions/contacts/csv.ts';

/** The forms that contact requests are exported in. */
export const exportFormats = ['csv', 'jsonl'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/**
 * Contact requests as text, a chunk for each page. `jsonl` is one JSON object a line, each value as it was sent; `csv`
 * has a header row and is safe to open in a spreadsheet (see `toContactCsvRow`).
 */
export async function* exportContacts(
  pages: AsyncIterable<readonly Contact[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield contactCsvHeader;
  const toLine = format === 'csv' ? toContactCsvRow : (contact: Contact) => `${JSON.stringify(contact)}\n`;
  for await (const page of pages) yield page.map(toLine).join('');
}
