import { tokenIdOf } from '../../../../functions/tokens/token.ts';
import { printJson } from '../../command-line/json.ts';
import { StaffError } from '../../command-line/staff-error.ts';
import { printTable } from '../../command-line/table.ts';
import { count, formatNumber, printable } from '../../command-line/text.ts';
import type { Surroundings } from '../../context.ts';
import type { Comparison } from './compare.ts';
import { kinds } from './kinds.ts';
import type { TableToCopy } from './table-to-copy.ts';

/** What came of a table. */
export interface Copied extends Comparison {
  readonly table: TableToCopy;
  /** How many items were written. */
  readonly copied: number;
}

const thereAlready = ({ read, copied, different, missing }: Copied) =>
  Math.max(0, read - copied - different.length - missing.length);

const columns = [
  { head: 'TABLE' },
  { head: 'READ' },
  { head: 'COPIED' },
  { head: 'THERE ALREADY' },
  { head: 'DIFFERENT' },
  { head: 'MISSING' },
  { head: 'CHECKSUM OF SOURCE', shrinks: true },
  { head: 'OF TARGET', shrinks: true },
];

const printRows = (staff: Pick<Surroundings, 'stdout'>, all: readonly Copied[]) => {
  const rows = all.map((each) => {
    const { table, read, copied, different, missing, checksums } = each;
    const amounts = [read, copied, thereAlready(each), different.length, missing.length];
    return [table.kind, ...amounts.map(formatNumber), checksums.source, checksums.target];
  });
  return printTable(staff, columns, [rows]);
};

/** What people may see of a key: of a token, its id. */
const shown = ({ kind }: TableToCopy, key: string) => (kind === 'tokens' ? tokenIdOf(key) : key);

const printObject = (staff: Pick<Surroundings, 'stdout'>, all: readonly Copied[]) =>
  printJson(
    staff,
    Object.fromEntries(
      all.map((each) => {
        const { table, read, copied, different, missing, checksums } = each;
        const idsOf = (keys: readonly string[]) => keys.map((key) => shown(table, key));
        const result = {
          from: table.source.table,
          to: table.target.table,
          read,
          copied,
          thereAlready: thereAlready(each),
          different: idsOf(different),
          missing: idsOf(missing),
          checksums,
        };
        return [table.kind, result];
      }),
    ),
  );

/**
 * Prints what came of each table, and on stderr what was left as it is.
 * @throws {StaffError} when the target has not all that the source has
 */
export const report = async (
  staff: Pick<Surroundings, 'stdout' | 'stderr'>,
  all: readonly Copied[],
  { json }: { readonly json: boolean },
): Promise<void> => {
  await (json ? printObject : printRows)(staff, all);
  for (const { table, different } of all) {
    for (const key of different) {
      const item = `the ${kinds[table.kind].noun} ${shown(table, key)}`;
      staff.stderr.write(`${printable(`Different in the source, and left as it is: ${item}.`)}\n`);
    }
  }
  const missing = all.flatMap((each) => each.missing).length;
  if (missing > 0) {
    throw new StaffError(
      `${count(missing, 'item')} of the source ${missing === 1 ? 'is' : 'are'} missing: something wrote or deleted meanwhile. Run it again.`,
    );
  }
  const different = all.flatMap((each) => each.different).length;
  if (different > 0) {
    throw new StaffError(
      `Nothing is missing, but ${count(different, 'item')} ${different === 1 ? 'is' : 'are'} not as in the source (docs/operation.md, "Restore data").`,
    );
  }
};
