import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { region } from '../template/intrinsics.ts';
import { type TableDefinition, tableShapeSchema } from '../template/table-definition.ts';

const describedTableSchema = v.object({
  Table: v.object({ ...tableShapeSchema.entries, TableStatus: v.string() }),
});

const faultSchema = v.object({ __type: v.string() });

/** Calls the store, without the SDK's client, which takes longer to load than all tables take to be made. */
const call = async (endpoint: string, operation: string, input: object): Promise<unknown> => {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      // The store wants the form of a signature and does not check it.
      Authorization: `AWS4-HMAC-SHA256 Credential=local/20000101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=local`,
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Date': '20000101T000000Z',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
    },
    body: JSON.stringify(input),
  });
  return response.json();
};

const describe = async (endpoint: string, TableName: string) => {
  const answer = await call(endpoint, 'DescribeTable', { TableName });
  const fault = v.safeParse(faultSchema, answer);
  if (fault.success && fault.output.__type.endsWith('#ResourceNotFoundException')) return undefined;
  return v.parse(describedTableSchema, answer).Table;
};

const create = async (endpoint: string, { name: TableName, shape }: TableDefinition) => {
  const { GlobalSecondaryIndexes, ...rest } = shape;
  await call(endpoint, 'CreateTable', {
    ...rest,
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
    BillingMode: 'PAY_PER_REQUEST',
    TableName,
  });
  // It becomes active a moment after the answer.
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await describe(endpoint, TableName))?.TableStatus === 'ACTIVE') return;
  }
  throw new Error(`The embedded store does not finish table ${TableName}`);
};

/**
 * Creates the tables that are not there yet.
 * @throws {Error} one line, when a table is there with another key or index than the template says
 */
export const createTables = async (endpoint: string, folder: string, tables: readonly TableDefinition[]) => {
  for (const table of tables) {
    const found = await describe(endpoint, table.name);
    if (!found) {
      await create(endpoint, table);
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
