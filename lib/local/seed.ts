import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { putCampaign, readCampaigns } from '../../functions/campaigns/manage-campaigns.ts';
import type { Table } from '../../functions/shared/dynamodb.ts';
import { putToken } from '../../functions/tokens/manage-tokens.ts';
import { hashToken, tokensTable } from '../../functions/tokens/token.ts';
import { tokenStore } from '../../functions/tokens/token-store.ts';
import { permissions } from '../infrastructure/endpoints.ts';
import type { Host } from './host/host.ts';
import { openStoreTables } from './store-tables.ts';

/** The last one is what the example site's link names. */
const campaignNames = ['Autumn newsletter', 'Product launch', 'spring-sale'];

/** Gives a token every permission: an earlier version has fewer. */
const allowAll = ({ client, table }: Table, token: string) =>
  client.send(
    new UpdateCommand({
      TableName: table,
      Key: { [tokensTable.partitionKey]: hashToken(token) },
      UpdateExpression: 'SET #permissions = :all',
      ConditionExpression: `attribute_exists(${tokensTable.partitionKey})`,
      ExpressionAttributeNames: { '#permissions': 'permissions' },
      ExpressionAttributeValues: { ':all': permissions },
    }),
  );

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
  using opened = openStoreTables(store, outputs);
  const { campaigns, tokens } = opened.tables;
  const file = join(dataDir, 'staff-token');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) {
    // The token may have been revoked.
    if (await tokenStore(tokens.client, tokens.table).find(kept)) {
      await allowAll(tokens, kept);
      return kept;
    }
  } else if ((await readCampaigns(campaigns, () => {})).length === 0) {
    for (const name of campaignNames) await putCampaign(campaigns, { id: randomUUID(), name });
  }
  const { token } = await putToken(tokens, { name: `npm start, ${now.toISOString()}`, permissions, now });
  await writeFile(file, token, { mode: 0o600 });
  return token;
};
