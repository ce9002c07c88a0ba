import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { campaignsPartition } from '../../../functions/campaigns/campaign.ts';
import { contactsTable, listedAtOf } from '../../../functions/contacts/contacts-table.ts';
import type { Table } from '../../../functions/shared/dynamodb.ts';
import { parseUuid } from '../../../functions/shared/uuid.ts';
import { tokensTable } from '../../../functions/tokens/token.ts';
import { deployedSettingsIn, tableNamesIn } from '../../infrastructure/outputs.ts';
import { describeStacks, outputsOf } from '../../shared/aws.ts';
import { type EnvironmentTables, type TableId, tableDefinitions, tablesOf } from '../../shared/environment-tables.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { formatNumber } from '../../shared/terminal-text.ts';
import { filesBucketIn } from '../environment/files-bucket.ts';
import { stackNamePattern } from '../environment/open-environment.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import type { CommandIo } from '../tool/command-io.ts';
import { writeEach } from '../tool/write-each.ts';
import { type FilesCopy, filesCopy, type SourceFiles } from './copy-files.ts';
import { putMissing, type RawItem, scanItems, tableState } from './raw-items.ts';

/** The tables in the order in which they are copied. */
const ids = ['contacts', 'campaigns', 'tokens'] as const satisfies readonly TableId[];

const nouns: Readonly<Record<TableId, string>> = {
  contacts: 'contact request',
  campaigns: 'campaign',
  tokens: 'token',
};

/** The table that an item belongs to, if it is an item of this service. */
const idOf = (item: RawItem): TableId | undefined => {
  if (item[tokensTable.partitionKey]) return 'tokens';
  const list = item[contactsTable.listIndex.partitionKey]?.S;
  if (list === campaignsPartition) return 'campaigns';
  return Object.values<unknown>(contactsTable.listPartitions).includes(list) ? 'contacts' : undefined;
};

/** @throws {StaffError} unless the table begins with items of this service */
const recognize = async (source: Table): Promise<TableId> => {
  for await (const items of scanItems(source)) {
    const id = items.map(idOf).find((each) => each !== undefined);
    if (id) return id;
    break;
  }
  throw new StaffError(`"${source.table}" is empty, or not a table of this service.`);
};

interface Sources {
  readonly tables: Partial<EnvironmentTables>;
  readonly files: SourceFiles;
}

/** @throws {StaffError} if there is no such table or stack, or it is the environment's own */
const findSources = async (environment: StaffEnvironment, from: string): Promise<Sources> => {
  const { name, stack, tables, dynamodb, files, settings, client } = environment;
  const ownTables = Object.values(tables).map(({ table }) => table);
  if (from === (stack?.name ?? name) || ownTables.includes(from)) {
    throw new StaffError(`"${from}" is the target of the copy: name another source.`);
  }
  const source = { client: dynamodb, table: from };
  const state = await tableState(source);
  if (state === 'creating') {
    throw new StaffError(`"${from}" is not ready: run "aws dynamodb wait table-exists --table-name ${from}".`);
  }
  if (state === 'ready') {
    return {
      tables: { [await recognize(source)]: source },
      files: { bucket: files, scans: settings.scansFiles ?? false },
    };
  }
  const canBeStack = stack && stackNamePattern.test(from);
  const [other] = (canBeStack && (await describeStacks(client(CloudFormationClient), from))) || [];
  if (!other) {
    throw new StaffError(
      stack
        ? `"${from}" is neither a table nor a stack of this account and region.`
        : `The local service has no table "${from}".`,
    );
  }
  const outputs = outputsOf(other);
  const names = tableNamesIn(outputs);
  if (!names) throw new StaffError(`"${from}" is not a stack of this service.`);
  return {
    tables: tablesOf(dynamodb, names),
    files: {
      bucket: filesBucketIn(outputs, true, (S3Client) => client(S3Client)),
      scans: deployedSettingsIn(outputs)?.scansFiles ?? false,
    },
  };
};

const timesOf = v.object({
  createdAt: v.object({ S: v.string() }),
  releasedAt: v.exactOptional(v.object({ S: v.string() })),
});

/** Notifications and confirmations of a contact request belong to the place where it came in: its copy is no news. */
const asNoNews = (item: RawItem): RawItem => {
  if (!v.is(timesOf, item)) return item;
  const { createdAt, releasedAt } = item;
  return {
    ...item,
    announced: { S: listedAtOf({ createdAt: createdAt.S, ...(releasedAt && { releasedAt: releasedAt.S }) }) },
  };
};

/** The day's counters of files have no UUID, and no copy must count for another environment. */
const isCounter = ({ id }: RawItem) => id?.S === undefined || parseUuid(id.S) === undefined;

const copyTable = async (id: TableId, source: Table, to: Table, io: CommandIo, files: FilesCopy) => {
  using progress = io.progress(nouns[id], 'read');
  let read = 0;
  let copied = 0;
  await writeEach(scanItems(source), io.signal, async (item) => {
    if (id === 'contacts' && isCounter(item)) return;
    const copy = id === 'contacts' ? asNoNews(item) : item;
    if (await putMissing(to, tableDefinitions[id].partitionKey, copy)) copied += 1;
    if (id === 'contacts') await files.copy(item);
    read += 1;
    progress.report(read);
  });
  return { from: source.table, to: to.table, read, copied };
};

/**
 * Copies missing items from a table, or from each table of a stack or of the service on this machine. It overwrites nothing and
 * notifies nobody, so it can be stopped and repeated.
 * @param from a table, a stack or `local`
 * @throws {StaffError} if there is no such table or stack, or it is the environment's own
 */
export const copyTables = async (environment: StaffEnvironment, from: string, io: CommandIo): Promise<Result> => {
  await using local = from === 'local' ? await environment.openLocal?.() : undefined;
  const sources: Sources = local
    ? { tables: local.tables, files: { bucket: local.files, scans: false } }
    : await findSources(environment, from);
  const files = filesCopy(sources.files, { table: environment.tables.contacts, bucket: environment.files });
  const results: Partial<Record<TableId, Awaited<ReturnType<typeof copyTable>>>> = {};
  for (const id of ids) {
    const source = sources.tables[id];
    if (source) results[id] = await copyTable(id, source, environment.tables[id], io, files);
  }
  const all = { ...results, files: files.result() };
  const rows = Object.entries(all).flatMap(([id, result]) =>
    result ? [[id, formatNumber(result.read), formatNumber(result.copied)]] : [],
  );
  const note = files.note();
  return {
    json: all,
    text: { heads: ['TABLE', 'READ', 'COPIED'], rows: [rows] },
    note: note === undefined ? undefined : () => note,
  };
};
