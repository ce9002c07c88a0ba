import { randomUUID } from 'node:crypto';
import { type Campaign, comparable, toItem } from '../../../functions/campaigns/campaign.ts';
import { type PutOptions, putAll } from '../tables/put-all.ts';
import type { StaffTable } from '../tables/tables.ts';
import { listCampaigns } from './campaigns.ts';
import { type Fault, refuseFaults } from './faults.ts';
import type { CampaignRow } from './file.ts';

/** What an import comes to. */
export interface ImportResult {
  readonly added: number;
  readonly renamed: number;
  readonly unchanged: number;
}

/** What an import writes; nothing of it is written yet. */
const plan = (existing: ReadonlyMap<string, string>, rows: readonly CampaignRow[]): Campaign[] => {
  const isChanged = ({ id, name }: CampaignRow) => id !== undefined && existing.get(id) !== name;
  const renamed = new Set(rows.filter(isChanged).map(({ id }) => id));
  /** Who has a name in the end: a campaign that keeps it, or a line. */
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
      faults.push({ line, message: `This is the name of line ${holder}.` });
    } else if (row.id !== undefined) {
      faults.push({ line, message: `The campaign ${holder} has this name.` });
    }
  }
  refuseFaults(faults);
  return changed;
};

/**
 * Imports campaigns: one with an id is added or renamed, one without is added unless a campaign has its name, whatever its
 * case, which then stays as it is. So the same import again changes nothing.
 * @param options `leaveOut` is told the id of each campaign that cannot be read
 * @throws {StaffError} that names every row whose name is taken, and nothing is imported; when the store stays too busy: the
 * same import again does the rest
 */
export const importCampaigns = async (
  campaigns: StaffTable,
  rows: readonly CampaignRow[],
  { leaveOut, ...options }: PutOptions & { readonly leaveOut: (id: string) => void },
): Promise<ImportResult> => {
  const existing = new Map((await listCampaigns(campaigns, leaveOut)).map(({ id, name }) => [id, name]));
  const changed = plan(existing, rows);
  await putAll(campaigns, changed.map(toItem), options);
  const renamed = changed.filter(({ id }) => existing.has(id)).length;
  return { added: changed.length - renamed, renamed, unchanged: rows.length - changed.length };
};
