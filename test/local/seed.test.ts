import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { campaignsTable } from '../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { issueToken, readTokens, revokeTokens } from '../../functions/tokens/manage-tokens.ts';
import { tokensTable } from '../../functions/tokens/token.ts';
import { permissions } from '../../lib/infrastructure/endpoints.ts';
import { seed } from '../../lib/local/seed.ts';
import { client, createTable } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const now = new Date('2026-03-01T12:00:00.000Z');

const start = async () => {
  const [ContactsTable = '', CampaignsTable = '', TokensTable = ''] = await Promise.all(
    [contactsTable, campaignsTable, tokensTable].map((each) => createTable(each)),
  );
  const dataDir = temporaryFolder();
  const store = { endpoint: inject('dynamoDbEndpoint'), accessKeyId: 'local', secretAccessKey: 'local' };
  const Settings = JSON.stringify({ version: '4.0.0', retainData: false });
  const tokens = { client, table: TokensTable };
  return {
    tokens,
    keep: (token: string) => writeFile(join(dataDir, 'staff-token'), token),
    seed: () => seed(dataDir, { store, outputs: { ContactsTable, CampaignsTable, TokensTable, Settings } }, now),
    all: () => readTokens(tokens, () => {}),
  };
};

it('makes a token with every permission once, and another one after a revocation', async () => {
  const { seed, all, tokens } = await start();
  const token = await seed();
  expect(await seed()).toBe(token);
  const [record, ...others] = await all();
  expect([record?.permissions, others]).toEqual([permissions, []]);
  await revokeTokens(tokens, record?.name ?? '');
  expect(await seed()).not.toBe(token);
});

it('gives that of an earlier version every permission', async () => {
  const { seed, all, keep, tokens } = await start();
  const issued = await issueToken(tokens, { name: 'npm start, earlier', permissions: permissions.slice(1), now });
  if (issued.outcome !== 'issued') throw new Error('The name is taken');
  await keep(issued.token);
  expect(await seed()).toBe(issued.token);
  expect(await all()).toMatchObject([{ name: 'npm start, earlier', permissions }]);
});
