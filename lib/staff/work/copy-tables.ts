import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { campaignsPartition, campaignsTable } from '../../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { wasRetried } from '../../../functions/shared/dynamodb.ts';
import { tokensTable } from '../../../functions/tokens/token.ts';
import { type TableNames, tableNamesIn } from '../../infrastructure/outputs.ts';
import { describeStacks, outputsOf } from '../../shared/aws.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { formatNumber } from '../../shared/terminal-text.ts';
import type { Result } from '../tool/command.ts';
import type { CommandIo } from '../tool/command-io.ts';
import { type StaffEnvironment, stackNamePattern } from '../tool/staff-environment.ts';
import { writeEach } from '../tool/write-each.ts';

/** An item as DynamoDB writes it: numbers keep all their digits. */
type Item = Record<string, AttributeValue>;

type Kind = keyof TableNames;

/** The kinds of tables in the order in which they are copied. */
const kinds = ['contacts', 'campaigns', 'tokens'] as const satisfies readonly Kind[];

const nouns: Readonly<Record<Kind, string>> = { contacts: 'contact request', campaigns: 'campaign', tokens: 'token' };

const keys: Readonly<Record<Kind, string>> = {
  contacts: contactsTable.partitionKey,
  campaigns: campaignsTable.partitionKey,
  tokens: tokensTable.partitionKey,
};

/** The table that an item belongs to, if it is one of this service. */
const kindOf = (item: Item): Kind | undefined => {
  if (item[keys.tokens]) return 'tokens';
  const list = item[contactsTable.listIndex.partitionKey]?.S;
  if (list === campaignsPartition) return 'campaigns';
  return Object.values<unknown>(contactsTable.listPartitions).includes(list) ? 'contacts' : undefined;
};

async function* scanPages({ dynamodb }: StaffEnvironment, table: string): AsyncGenerator<readonly Item[]> {
  let start: Item | undefined;
  do {
    const scan = new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: start });
    const { Items: items = [], LastEvaluatedKey: last } = await dynamodb.send(scan);
    yield items;
    start = last;
  } while (start);
}

/** @throws {StaffError} unless items of one kind are at the beginning of the table */
const kindOfTable = async (environment: StaffEnvironment, table: string): Promise<Kind> => {
  for await (const items of scanPages(environment, table)) {
    const kind = items.map(kindOf).find((each) => each !== undefined);
    if (kind) return kind;
    break;
  }
  throw new StaffError(`"${table}" is empty, or not a table of this service.`);
};

const isTable = async ({ dynamodb }: StaffEnvironment, name: string): Promise<boolean> => {
  try {
    const { Table: table } = await dynamodb.send(new DescribeTableCommand({ TableName: name }));
    if (table?.TableStatus !== 'CREATING') return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    // No table can have such a name.
    if (error instanceof Error && error.name === 'ValidationException') return false;
    throw error;
  }
  throw new StaffError(`"${name}" is not ready: run "aws dynamodb wait table-exists --table-name ${name}".`);
};

/** @throws {StaffError} if there is no such table or stack, or it is the environment's own */
const findSources = async (environment: StaffEnvironment, from: string): Promise<Partial<TableNames>> => {
  const { stack, tables, client } = environment;
  const ownTables = Object.values(tables).map(({ table }) => table);
  if (from === stack?.name || ownTables.includes(from)) {
    throw new StaffError(`"${from}" is the target of the copy: name another source.`);
  }
  if (await isTable(environment, from)) return { [await kindOfTable(environment, from)]: from };
  const canBeStack = stack && stackNamePattern.test(from);
  const [other] = (canBeStack && (await describeStacks(client(CloudFormationClient), from))) || [];
  if (!other) {
    throw new StaffError(
      stack
        ? `"${from}" is neither a table nor a stack of this account and region.`
        : `The local service has no table "${from}".`,
    );
  }
  const sources = tableNamesIn(outputsOf(other));
  if (!sources) throw new StaffError(`"${from}" is not a stack of this service.`);
  return sources;
};

/** Writes an item unless its key is taken. @returns whether it did */
const putMissing = async ({ dynamodb, tables }: StaffEnvironment, kind: Kind, item: Item): Promise<boolean> => {
  const command = new PutItemCommand({
    TableName: tables[kind].table,
    Item: item,
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': keys[kind] },
  });
  try {
    await dynamodb.send(command);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return wasRetried(error);
  }
};

const copyTable = async (environment: StaffEnvironment, kind: Kind, source: string, io: CommandIo) => {
  using progress = io.progress(nouns[kind], 'read');
  let read = 0;
  let copied = 0;
  await writeEach(scanPages(environment, source), io.signal, async (item) => {
    if (await putMissing(environment, kind, item)) copied += 1;
    read += 1;
    progress.report(read);
  });
  return { from: source, to: environment.tables[kind].table, read, copied };
};

/**
 * Copies missing items from a table, or from each table of a stack. It overwrites nothing, so it can be stopped and
 * repeated.
 * @throws {StaffError} if there is no such table or stack, or it is the environment's own
 */
export const copyTables = async (environment: StaffEnvironment, from: string, io: CommandIo): Promise<Result> => {
  const sources = await findSources(environment, from);
  const results: Partial<Record<Kind, Awaited<ReturnType<typeof copyTable>>>> = {};
  for (const kind of kinds) {
    const source = sources[kind];
    if (source !== undefined) results[kind] = await copyTable(environment, kind, source, io);
  }
  const rows = Object.entries(results).map(([kind, { read, copied }]) => [
    kind,
    formatNumber(read),
    formatNumber(copied),
  ]);
  return { json: results, text: { heads: ['TABLE', 'READ', 'COPIED'], rows: [rows] } };
};
