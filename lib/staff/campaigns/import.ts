import { randomUUID } from 'node:crypto';
import { type Campaign, toItem } from '../../../functions/campaigns/campaign.ts';
import { putAll } from '../tables/put-all.ts';
import type { StaffTable } from '../tables/tables.ts';
import { listCampaigns } from './campaigns.ts';
import type { CampaignRow } from './file.ts';

/** What an import comes to. */
export interface ImportResult {
  readonly added: number;
  readonly renamed: number;
  readonly unchanged: number;
}

/**
 * Imports campaigns: one with an id is added or renamed, one without is added unless a campaign has that very name
 * by then, from before or from the same file. So the same import again changes nothing.
 * @param options `leaveOut` is told the id of each campaign that cannot be read
 * @throws {StaffError} when the store stays too busy; the same import again does the rest
 */
export const importCampaigns = async (
  campaigns: StaffTable,
  rows: readonly CampaignRow[],
  { leaveOut, ...options }: Parameters<typeof putAll>[2] & { readonly leaveOut: (id: string) => void },
): Promise<ImportResult> => {
  const existing = new Map((await listCampaigns(campaigns, leaveOut)).map(({ id, name }) => [id, name]));
  const names = new Map(existing);
  const changed: Campaign[] = [];

  for (const { id, name } of rows) {
    if (id === undefined || existing.get(id) === name) continue;
    names.set(id, name);
    changed.push({ id, name });
  }
  const taken = new Set(names.values());
  for (const { id, name } of rows) {
    if (id !== undefined || taken.has(name)) continue;
    taken.add(name);
    changed.push({ id: randomUUID(), name });
  }

  await putAll(campaigns, changed.map(toItem), options);
  const renamed = changed.filter(({ id }) => existing.has(id)).length;
  return { added: changed.length - renamed, renamed, unchanged: rows.length - changed.length };
};
