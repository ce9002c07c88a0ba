import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { contactsTable } from '../../../../functions/contacts/table.ts';
import { agree } from '../../command-line/agree.ts';
import { withProgress } from '../../command-line/progress.ts';
import { StaffError } from '../../command-line/staff-error.ts';
import { printable } from '../../command-line/text.ts';
import type { Staff } from '../../context.ts';
import { persist } from '../persist.ts';
import { compare } from './compare.ts';
import { kinds } from './kinds.ts';
import { putMissing } from './put-missing.ts';
import { type Copied, report } from './report.ts';
import { type From, findTables } from './source.ts';
import type { TableToCopy } from './table-to-copy.ts';

export interface CopyOptions extends From {
  /** Asks nobody. */
  readonly yes: boolean;
  readonly json: boolean;
}

/**
 * Reads one item of each table before the first is written.
 * @throws {StaffError} when a table must not be read, or holds something else
 */
const look = async (staff: Staff, tables: readonly TableToCopy[]) => {
  for (const { kind, source } of tables) {
    const { client, table: TableName } = source;
    const { Items: [item] = [] } = await persist(staff, () => client.send(new ScanCommand({ TableName, Limit: 1 })));
    const partition = item?.[contactsTable.listIndex.partitionKey]?.S;
    const { noun, isForeign } = kinds[kind];
    if (partition !== undefined && isForeign(partition)) {
      throw new StaffError(`The table ${TableName} holds no ${noun}s: give another --table.`);
    }
  }
};

const describe = ({ stderr }: Staff, tables: readonly TableToCopy[]): void => {
  for (const { kind, source, target } of tables) {
    const works = kind === 'tokens' ? ' Each token that it has works here then, also one that was revoked here.' : '';
    stderr.write(
      `${printable(`Copies ${kind} from ${source.table} to ${target.table}, over nothing that is there.${works}`)}\n`,
    );
  }
};

const copy = async (staff: Staff, table: TableToCopy): Promise<Copied> => {
  const { noun } = kinds[table.kind];
  const copied = await withProgress(staff, [noun, 'copied'], (show) => putMissing(staff, table, show));
  const compared = await withProgress(staff, [noun, 'compared'], (show) => compare(staff, table, show));
  return { table, copied, ...compared };
};

/**
 * Copies what another table, or each of another stack, has and the environment's has not, compares the two, and prints what
 * came of it.
 * @throws {StaffError} when nobody agrees to it, or in the end the target has not all that the source has
 */
export const copyTables = async (staff: Staff, { yes, json, ...from }: CopyOptions): Promise<void> => {
  const { tables, close } = await findTables(staff, from);
  try {
    await look(staff, tables);
    if (!yes) {
      describe(staff, tables);
      await agree(staff, 'copy', 'copied');
    }
    const all: Copied[] = [];
    for (const table of tables) all.push(await copy(staff, table));
    await report(staff, all, { json });
  } finally {
    close();
  }
};
