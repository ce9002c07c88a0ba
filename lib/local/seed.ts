import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tokenStore } from '../../functions/tokens/store.ts';
import { permissions } from '../infrastructure/endpoints.ts';
import { addCampaign, listCampaigns } from '../staff/campaign-table.ts';
import type { Environment } from '../staff/environment.ts';
import { environmentOfStore } from '../staff/local.ts';
import { issueToken } from '../staff/token-table.ts';
import type { Host } from './host/host.ts';

const campaignNames = ['Autumn newsletter', 'Product launch', 'Spring sale'];

const seedTables = async (dataDir: string, { dynamodb: client, tables }: Environment, now: Date): Promise<string> => {
  const file = join(dataDir, 'staff-token');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) {
    // The token may have been revoked.
    if (await tokenStore(client, tables.tokens).find(kept)) return kept;
  } else {
    const campaigns = { client, table: tables.campaigns };
    if ((await listCampaigns(campaigns, () => {})).length === 0) {
      for (const name of campaignNames) await addCampaign(campaigns, name);
    }
  }
  const { token } = await issueToken(
    { client, table: tables.tokens },
    { name: `npm start, ${now.toISOString()}`, permissions, now },
  );
  await writeFile(file, token, { mode: 0o600 });
  return token;
};

/**
 * Adds example data: a few campaigns at the first start, and a token with every permission. A file of the data directory
 * keeps the token, so that later starts print the same one.
 * @returns the token
 */
export const seed = async (
  dataDir: string,
  { store, outputs }: Pick<Host, 'store' | 'outputs'>,
  now: Date,
): Promise<string> => {
  const environment = environmentOfStore({ ...store, outputs, close: async () => {} });
  try {
    return await seedTables(dataDir, environment, now);
  } finally {
    await environment.close();
  }
};
