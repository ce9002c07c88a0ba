import { randomUUID } from 'node:crypto';
import { type Campaign, comparable } from '../../../functions/campaigns/campaign.ts';
import { putCampaign, readCampaigns } from '../../../functions/campaigns/manage-campaigns.ts';
import type { Table } from '../../../functions/shared/dynamodb.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { writeEach } from '../tool/write-each.ts';
import { type CampaignRow, type Fault, refuseFaults } from './campaign-file.ts';

/**
 * Finds the campaigns that an import has to write.
 * @param existing the names of campaigns by id
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
export const importCampaigns = async (campaigns: Table, rows: readonly CampaignRow[], io: CommandIo) => {
  using progress = io.progress('campaign', 'written');
  const before = await readCampaigns(campaigns, sayUnreadable(io, 'campaign'));
  const existing = new Map(before.map(({ id, name }) => [id, name]));
  const changed = planImport(existing, rows);
  let written = 0;
  await writeEach([changed], io.signal, async (campaign) => {
    await putCampaign(campaigns, campaign);
    written += 1;
    progress.report(written);
  });
  const renamed = changed.filter(({ id }) => existing.has(id)).length;
  return { added: changed.length - renamed, renamed, unchanged: rows.length - changed.length };
};
