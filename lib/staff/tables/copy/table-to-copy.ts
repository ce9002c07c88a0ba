import { contactsTable } from '../../../../functions/contacts/table.ts';
import { StaffError } from '../../command-line/staff-error.ts';
import type { StaffTable } from '../tables.ts';
import { type Kind, kinds } from './kinds.ts';
import type { Item } from './scan.ts';

/** What is copied where. */
export interface TableToCopy {
  readonly kind: Kind;
  readonly source: StaffTable;
  readonly target: StaffTable;
}

/** @throws {StaffError} when an item of the source is of another kind of table: it must not be written */
export const refuseForeign = ({ kind, source }: TableToCopy, item: Item): void => {
  const { noun, isForeign } = kinds[kind];
  const partition = item[contactsTable.listIndex.partitionKey]?.S;
  if (partition !== undefined && isForeign(partition)) {
    throw new StaffError(`The table ${source.table} holds no ${noun}s: give another --table.`);
  }
};
