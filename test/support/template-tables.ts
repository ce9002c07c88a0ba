import * as v from 'valibot';
import { callStore, type StoreAddress } from '../../lib/local/host/store/store-call.ts';
import type { TableDefinition } from '../../lib/local/host/template/definitions.ts';

const activeSchema = v.object({ Table: v.object({ TableStatus: v.literal('ACTIVE') }) });

/** Creates the tables of a template in a DynamoDB of its own. */
export const createTables = async (store: StoreAddress, tables: readonly TableDefinition[]): Promise<void> => {
  for (const { name: TableName, shape } of tables) {
    const { GlobalSecondaryIndexes, ...keys } = shape;
    const indexes = GlobalSecondaryIndexes.length > 0 ? { GlobalSecondaryIndexes } : {};
    await callStore(store, 'CreateTable', { ...keys, ...indexes, BillingMode: 'PAY_PER_REQUEST', TableName });
    // It becomes active a moment after the answer.
    while (!v.is(activeSchema, await callStore(store, 'DescribeTable', { TableName })));
  }
};
