import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { campaignsPartition, campaignsTable } from '../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../functions/contacts/table.ts';
import { wasRetried } from '../../functions/shared/dynamodb.ts';
import { tokensTable } from '../../functions/tokens/token.ts';
import { describeStacks, outputsOf } from '../aws.ts';
import { type TableNames, tableNamesIn } from '../infrastructure/outputs.ts';
import type { Staff } from './command.ts';
import { type Environment, stackNamePattern } from './environment.ts';
import { printJson, withProgress } from './output.ts';
import { printTable } from './print-table.ts';
import { StaffError } from './staff-error.ts';
import { formatNumber } from './text.ts';

/** An item as DynamoDB writes it: numbers keep all their digits. */
type Item = Record<string, AttributeValue>;

type Kind = keyof TableNames;

/** Writes under way at the same time: ten attempts of each fit into the SDK's retry quota. */
const writers = 10;

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

async function* pagesOf({ dynamodb }: Environment, table: string) {
  let start: Item | undefined;
  do {
    const scan = new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: start });
    const { Items: items = [], LastEvaluatedKey: last } = await dynamodb.send(scan);
    yield items;
    start = last;
  } while (start);
}

/** @throws {StaffError} unless items of one kind are at the beginning of the table */
const kindOfTable = async (environment: Environment, table: string): Promise<Kind> => {
  for await (const items of pagesOf(environment, table)) {
    const kind = items.map(kindOf).find((each) => each !== undefined);
    if (kind) return kind;
    break;
  }
  throw new StaffError(`"${table}" is empty, or not a table of this service.`);
};

const isTable = async ({ dynamodb }: Environment, name: string): Promise<boolean> => {
  try {
    const { Table: table } = await dynamodb.send(new DescribeTableCommand({ TableName: name }));
    if (table?.TableStatus !== 'CREATING') return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
  throw new StaffError(`"${name}" is not ready: run "aws dynamodb wait table-exists --table-name ${name}".`);
};

/** @throws {StaffError} if there is no such table or stack, or it is the environment's own */
const findSources = async (environment: Environment, from: string): Promise<Partial<TableNames>> => {
  const { stack, tables, client } = environment;
  if ([stack?.name, ...Object.values(tables)].includes(from)) {
    throw new StaffError(`"${from}" is the target of the copy: name another source.`);
  }
  if (await isTable(environment, from)) return { [await kindOfTable(environment, from)]: from };
  const canBeStack = stack && stackNamePattern.test(from);
  const [other] = (canBeStack && (await describeStacks(client(CloudFormationClient), from))) || [];
  if (!other)
    throw new StaffError(
      stack
        ? `"${from}" is neither a table nor a stack of this account and region.`
        : `The local service has no table "${from}".`,
    );
  const sources = tableNamesIn(outputsOf(other));
  if (!sources) throw new StaffError(`"${from}" is not a stack of this service.`);
  return sources;
};

/** Writes an item unless its key is taken. @returns whether it did */
const put = async ({ dynamodb, tables }: Environment, kind: Kind, item: Item): Promise<boolean> => {
  const command = new PutItemCommand({
    TableName: tables[kind],
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

/**
 * Copies missing items from a table, or from each table of a stack. It overwrites nothing, so it can be stopped and
 * repeated.
 * @throws {StaffError} if there is no such table or stack, or it is the environment's own
 */
export const copyTables = async (staff: Staff, from: string, json: boolean): Promise<void> => {
  const { environment, signal } = staff;
  const copy = (kind: Kind, source: string) =>
    withProgress(staff, [nouns[kind], 'read'], async (report) => {
      let [read, copied] = [0, 0];
      for await (const items of pagesOf(environment, source)) {
        for (let at = 0; at < items.length; at += writers) {
          signal.throwIfAborted();
          const wrote = await Promise.all(items.slice(at, at + writers).map((item) => put(environment, kind, item)));
          read += wrote.length;
          copied += wrote.filter(Boolean).length;
          report(read);
        }
      }
      return { from: source, to: environment.tables[kind], read, copied };
    });

  const sources = await findSources(environment, from);
  const results: Partial<Record<Kind, Awaited<ReturnType<typeof copy>>>> = {};
  for (const kind of ['contacts', 'campaigns', 'tokens'] as const) {
    const source = sources[kind];
    if (source !== undefined) results[kind] = await copy(kind, source);
  }
  if (json) return printJson(staff, results);
  const rows = Object.entries(results).map(([kind, { read, copied }]) => [
    kind,
    formatNumber(read),
    formatNumber(copied),
  ]);
  await printTable(staff, ['TABLE', 'READ', 'COPIED'], [rows]);
};
