import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { parseUuid } from '../../../functions/shared/uuid.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { failOn } from '../tool/files.ts';
import { campaignName } from '../tool/options.ts';

/** A campaign in a file; without an id its name identifies it. */
export interface CampaignRow {
  /** The line on which it ends. */
  readonly line: number;
  /** A UUID, in lower case. */
  readonly id?: string;
  /** As `campaignName` parses it. */
  readonly name: string;
}

/** An error in a row that ends on this line. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

export const refuseFaults = (faults: readonly Fault[]): void => {
  if (faults.length === 0) return;
  throw new StaffError(...faults.map(({ line, message }) => `Line ${line}: ${message}`));
};

const csvRows = v.array(v.object({ record: v.array(v.string()), info: v.object({ lines: v.number() }) }));

const parseText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StaffError('The file is not UTF-8: save it as CSV in UTF-8.');
  }
};

/** The rows of CSV (RFC 4180), each with the line on which it ends. */
const parseCsv = (text: string) => {
  const options = {
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  };
  try {
    return v.parse(csvRows, parse(text, options));
  } catch (error) {
    if (error instanceof CsvError) throw new StaffError(`The file is not valid CSV: ${error.message}`);
    throw error;
  }
};

const parseHeader = (cells: readonly string[] = []): string[] => {
  const columns = cells.map((cell) => cell.trim().toLowerCase());
  const known = columns.filter((column) => column === 'id' || column === 'name');
  if (known.includes('name') && known.length === columns.length && new Set(known).size === known.length) return columns;
  throw new StaffError('Line 1: the header row must be "name", "id,name" or "name,id".');
};

/**
 * Reads campaigns from a CSV file in UTF-8: a header row, then a row for each. The column `name` is required; `id` is
 * optional, and its cells may be blank.
 * @throws {StaffError} that names every error with its line
 */
export const readCampaignFile = async (file: string): Promise<CampaignRow[]> => {
  const bytes = await readFile(file).catch(failOn('read', file));
  const [header, ...rows] = parseCsv(parseText(bytes));
  const columns = parseHeader(header?.record);
  const campaigns: CampaignRow[] = [];
  const linesOfIds = new Map<string, number>();
  const faults: Fault[] = [];

  for (const { record: cells, info } of rows) {
    const { lines: line } = info;
    const fault = (message: string) => faults.push({ line, message });
    if (cells.length !== columns.length) {
      fault(`The header row has ${columns.length} columns, but this row has ${cells.length}.`);
      continue;
    }
    const given = new Map(columns.map((column, index) => [column, cells[index]]));

    const name = v.safeParse(campaignName, given.get('name'));
    for (const issue of name.issues ?? []) fault(issue.message);

    const givenId = given.get('id')?.trim() ?? '';
    const id = parseUuid(givenId);
    if (givenId !== '' && id === undefined) fault(`"${givenId}" is not a UUID.`);
    if (id !== undefined) {
      const earlier = linesOfIds.get(id);
      if (earlier === undefined) linesOfIds.set(id, line);
      else fault(`Line ${earlier} has the same id.`);
    }
    if (name.success) campaigns.push({ line, name: name.output, ...(id !== undefined && { id }) });
  }
  refuseFaults(faults);
  return campaigns;
};
