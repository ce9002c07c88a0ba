import { DescribeTableCommand, ResourceNotFoundException, type TableDescription } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type TableNames, tableNamesIn } from '../../../infrastructure/outputs.ts';
import { describeStack } from '../../aws/stack.ts';
import { StaffError } from '../../command-line/staff-error.ts';
import type { Staff } from '../../context.ts';
import { clientIn } from '../deployed.ts';
import type { StaffTable } from '../tables.ts';
import { type Kind, kindNames, kinds } from './kinds.ts';
import type { TableToCopy } from './table-to-copy.ts';

/** Where to copy from. */
export interface From {
  /** A stack's name; with `kind`, a table's. */
  readonly name: string;
  readonly kind?: Kind | undefined;
  /** @defaultValue that of the environment */
  readonly region?: string | undefined;
}

/** What is to be copied, and the client that reads it. */
interface Found {
  readonly tables: readonly TableToCopy[];
  close(): void;
}

const isLocal = ({ tables }: Staff) => tables.where === undefined;

/** The tables of a stack of this service. */
const tablesOfStack = async (stack: string, region: string): Promise<TableNames> => {
  const { outputs, where } = await describeStack({ called: stack, stack, region });
  const names = tableNamesIn(outputs);
  if (names) return names;
  throw new StaffError(`The outputs of the stack ${stack} name no tables (${where}): is it one of this service?`);
};

/** @throws {StaffError} when a table is not there yet, or not any more */
const describeTable = async ({ client, table }: StaffTable, region: string): Promise<TableDescription | undefined> => {
  try {
    const { Table: described } = await client.send(new DescribeTableCommand({ TableName: table }));
    if (described?.TableStatus !== 'CREATING') return described;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
    throw new StaffError(`There is no table ${table} in this account, ${region}.`);
  }
  throw new StaffError(
    `The table ${table} is not ready: wait with "aws dynamodb wait table-exists --table-name ${table}".`,
  );
};

/** @throws {StaffError} when it cannot be copied */
const check = async ({ kind, source, target }: TableToCopy, sourceRegion: string, region: string) => {
  if (source.table === target.table && sourceRegion === region) {
    throw new StaffError(`The table ${source.table} is what it would be copied to.`);
  }
  const { partitionKey, index, noun } = kinds[kind];
  const { KeySchema = [], GlobalSecondaryIndexes: indexes = [] } = (await describeTable(source, sourceRegion)) ?? {};
  const key = KeySchema.map(({ AttributeName }) => AttributeName).join(', ');
  if (key !== partitionKey) {
    throw new StaffError(
      `The table ${source.table} holds no ${noun}s: its key is ${key}, where theirs is ${partitionKey}.`,
    );
  }
  // Many a table has a key of that name, and what came from it could not be told apart any more.
  if (!indexes.some(({ IndexName }) => IndexName === index)) {
    throw new StaffError(`The table ${source.table} holds no ${noun}s: it has no index "${index}".`);
  }
  await describeTable(target, region);
};

/**
 * Finds what is to be copied; it reads no item.
 * @throws {StaffError} when something of it cannot be copied: then nothing is
 */
export const findTables = async (staff: Staff, from: From): Promise<Found> => {
  const { tables } = staff;
  if (isLocal(staff) && (from.kind === undefined || from.region !== undefined)) {
    throw new StaffError('"local" has no stacks and no region: give --table, and --from a table.');
  }
  const region = await tables.client.config.region();
  const sourceRegion = from.region ?? region;
  const sources: Partial<TableNames> = from.kind
    ? { [from.kind]: from.name }
    : await tablesOfStack(from.name, sourceRegion);
  const own: DynamoDBDocumentClient | undefined = sourceRegion === region ? undefined : clientIn(sourceRegion);
  const found = kindNames.flatMap((kind) => {
    const name = sources[kind];
    if (name === undefined) return [];
    const source = { client: own ?? tables.client, table: name };
    const target = { client: tables.client, table: tables[kind] };
    return [{ kind, source, target }];
  });
  const close = () => own?.destroy();
  try {
    for (const table of found) await check(table, sourceRegion, region);
    return { tables: found, close };
  } catch (error) {
    close();
    throw error;
  }
};
