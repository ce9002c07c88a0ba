import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type TableDefinition, tableShapeSchema } from '../template/definitions.ts';
import { callStore, type StoreAddress } from './store-call.ts';

const describedTableSchema = v.object({
  Table: v.object({ ...tableShapeSchema.entries, TableStatus: v.string() }),
});

const faultSchema = v.object({ __type: v.string() });

const describe = async (store: StoreAddress, TableName: string) => {
  const answer = await callStore(store, 'DescribeTable', { TableName });
  const fault = v.safeParse(faultSchema, answer);
  if (fault.success && fault.output.__type.endsWith('#ResourceNotFoundException')) return undefined;
  return v.parse(describedTableSchema, answer).Table;
};

const create = async (store: StoreAddress, { name: TableName, shape }: TableDefinition) => {
  const { GlobalSecondaryIndexes, ...rest } = shape;
  await callStore(store, 'CreateTable', {
    ...rest,
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
    BillingMode: 'PAY_PER_REQUEST',
    TableName,
  });
  // It becomes active a moment after the answer.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await describe(store, TableName))?.TableStatus === 'ACTIVE') return;
  }
  throw new Error(`The embedded store does not finish table ${TableName}`);
};

/**
 * Creates the tables that are not there yet.
 * @throws {Error} one line, when a table is there with another key or index than the template says
 */
export const createTables = async (store: StoreAddress, folder: string, tables: readonly TableDefinition[]) => {
  for (const table of tables) {
    const found = await describe(store, table.name);
    if (!found) {
      await create(store, table);
      continue;
    }
    const same =
      found.TableStatus === 'ACTIVE' &&
      isDeepStrictEqual(new Set(found.KeySchema), new Set(table.shape.KeySchema)) &&
      isDeepStrictEqual(new Set(found.AttributeDefinitions), new Set(table.shape.AttributeDefinitions)) &&
      isDeepStrictEqual(new Set(found.GlobalSecondaryIndexes), new Set(table.shape.GlobalSecondaryIndexes));
    if (!same) {
      throw new Error(
        `Table ${table.name} in ${folder} has other keys or indexes than the template: move ${folder} away to start with empty tables`,
      );
    }
  }
};
