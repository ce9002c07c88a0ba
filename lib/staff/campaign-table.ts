import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Campaign, comparable, toItem } from '../../functions/campaigns/campaign.ts';
import { campaignListStore } from '../../functions/campaigns/store.ts';
import { type CampaignRow, type Fault, refuseFaults } from './campaign-file.ts';
import type { Table } from './environment.ts';
import { StaffError } from './staff-error.ts';

const pageSize = 1000;

/** Writes of an import that are under way at the same time. */
const writesAtOnce = 10;

const orUnknown = (id: string) => (error: unknown) => {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  throw new StaffError(`There is no campaign ${id}. Run "npx crcs campaigns list" to see all.`);
};

/**
 * Lists all campaigns by name: they are few.
 * @param leaveOut gets the id of each unreadable one
 */
export const listCampaigns = async ({ client, table }: Table, leaveOut: (id: string) => void): Promise<Campaign[]> => {
  const store = campaignListStore(client, table);
  const campaigns: Campaign[] = [];
  let after: string | undefined;
  do {
    const { items, unreadable, next } = await store.list({ limit: pageSize, after });
    unreadable.forEach(leaveOut);
    campaigns.push(...items);
    after = next;
  } while (after !== undefined);
  return campaigns;
};

/** @throws {StaffError} if another campaign has that name, in any case */
const refuseTakenName = async (
  campaigns: Table,
  { name, id }: Pick<Campaign, 'name'> & { readonly id?: string },
): Promise<void> => {
  const all = await listCampaigns(campaigns, () => {});
  const other = all.find((each) => comparable(each.name) === comparable(name) && each.id !== id);
  if (other) throw new StaffError(`A campaign with that name already exists: ${other.id}.`);
};

/** @throws {StaffError} if the name is taken, in any case */
export const addCampaign = async ({ client, table }: Table, name: string): Promise<Campaign> => {
  await refuseTakenName({ client, table }, { name });
  const campaign = { id: randomUUID(), name };
  await client.send(new PutCommand({ TableName: table, Item: toItem(campaign) }));
  return campaign;
};

/** @throws {StaffError} if there is no campaign of that id, or the name is taken, in any case */
export const renameCampaign = async ({ client, table }: Table, campaign: Campaign): Promise<void> => {
  await refuseTakenName({ client, table }, campaign);
  await client
    .send(new PutCommand({ TableName: table, Item: toItem(campaign), ConditionExpression: 'attribute_exists(id)' }))
    .catch(orUnknown(campaign.id));
};

/** @throws {StaffError} if there is no campaign of that id */
export const removeCampaign = async ({ client, table }: Table, id: string): Promise<void> => {
  await client
    .send(new DeleteCommand({ TableName: table, Key: { id }, ConditionExpression: 'attribute_exists(id)' }))
    .catch(orUnknown(id));
};

export interface ImportResult {
  readonly added: number;
  readonly renamed: number;
  readonly unchanged: number;
}

interface ImportOptions {
  readonly signal: AbortSignal;
  /** Gets the number of campaigns written so far. */
  readonly report: (done: number) => void;
  /** Gets the id of each unreadable campaign. */
  readonly leaveOut: (id: string) => void;
}

/**
 * Finds the campaigns that an import has to write.
 * @throws {StaffError} that names every row whose name is taken
 */
const planImport = (existing: ReadonlyMap<string, string>, rows: readonly CampaignRow[]): Campaign[] => {
  const isChanged = ({ id, name }: CampaignRow) => id !== undefined && existing.get(id) !== name;
  const renamed = new Set(rows.filter(isChanged).map(({ id }) => id));
  /** The holder of each name after the import: the id of a campaign that keeps it, or a line. */
  const holders = new Map<string, string | number>();
  for (const [id, name] of existing) if (!renamed.has(id)) holders.set(comparable(name), id);

  const changed: Campaign[] = [];
  const faults: Fault[] = [];
  for (const row of rows) {
    const { line, id = randomUUID(), name } = row;
    if (row.id !== undefined && !isChanged(row)) continue;
    const holder = holders.get(comparable(name));
    if (holder === undefined) {
      holders.set(comparable(name), line);
      changed.push({ id, name });
    } else if (typeof holder === 'number') {
      faults.push({ line, message: `Line ${holder} has the same name.` });
    } else if (row.id !== undefined) {
      faults.push({ line, message: `The campaign ${holder} already has this name.` });
    }
  }
  refuseFaults(faults);
  return changed;
};

/**
 * Imports campaigns. A row with an id is added or renamed. A row without an id is added, unless a campaign has its name, in
 * any case. So the same import again changes nothing, and completes one that stopped.
 * @throws {StaffError} that names every row whose name is taken; then nothing is imported
 */
export const importCampaigns = async (
  { client, table }: Table,
  rows: readonly CampaignRow[],
  { signal, report, leaveOut }: ImportOptions,
): Promise<ImportResult> => {
  const existing = new Map((await listCampaigns({ client, table }, leaveOut)).map(({ id, name }) => [id, name]));
  const changed = planImport(existing, rows);
  for (let at = 0; at < changed.length; at += writesAtOnce) {
    signal.throwIfAborted();
    const puts = changed.slice(at, at + writesAtOnce).map(toItem);
    await Promise.all(puts.map((Item) => client.send(new PutCommand({ TableName: table, Item }))));
    report(at + puts.length);
  }
  const renamed = changed.filter(({ id }) => existing.has(id)).length;
  return { added: changed.length - renamed, renamed, unchanged: rows.length - changed.length };
};
