import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { toItem } from '../../functions/campaigns/campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get.ts';
import { handler as listCampaigns } from '../../functions/campaigns/list.ts';
import { campaignsTable } from '../../functions/campaigns/table.ts';
import { handler as createContact } from '../../functions/contacts/create.ts';
import { handler as deleteContact } from '../../functions/contacts/delete.ts';
import { handler as getContact } from '../../functions/contacts/get.ts';
import { handler as listContacts } from '../../functions/contacts/list.ts';
import { contactsTable } from '../../functions/contacts/table.ts';
import { callerOf } from '../support/call.ts';
import { idIn, idsIn, minimal, siteOrigin } from '../support/contacts.ts';
import { logLines } from '../support/log.ts';
import { client, createTable } from '../support/tables.ts';

const create = callerOf('POST /api/v1/contact', createContact);
const list = callerOf('GET /api/v1/contact', listContacts);
const get = callerOf('GET /api/v1/contact/{id}', getContact);
const remove = callerOf('DELETE /api/v1/contact/{id}', deleteContact);

const post = (body: unknown, origin = siteOrigin) =>
  create({ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', Origin: origin } });

// The handlers as Lambda runs them: what they know, they have from the environment variables.
beforeAll(async () => {
  await createTable(contactsTable, process.env['CONTACTS_TABLE']);
  await createTable(campaignsTable, process.env['CAMPAIGNS_TABLE']);
});

it('keep a contact request from its creation to its deletion', async () => {
  const created = await post(minimal);
  expect(created.status).toBe(201);
  expect(created.headers).toHaveProperty('Access-Control-Allow-Origin', siteOrigin);
  const pathParameters = { id: idIn(created) };
  expect((await get({ pathParameters })).body).toStrictEqual(created.body);
  expect(idsIn(await list())).toContain(idIn(created));
  expect((await remove({ pathParameters })).status).toBe(204);
  expect((await get({ pathParameters })).status).toBe(404);
  expect(idsIn(await list())).not.toContain(idIn(created));
});

it('know the sites and the trap', async () => {
  expect((await post(minimal, 'https://shop.example.com')).status).toBe(201);
  expect((await post(minimal, 'https://evil.example')).status).toBe(403);
  const marked = await post({ ...minimal, website: 'x' });
  expect(idsIn(await list({ query: [['spam', 'true']] }))).toContain(idIn(marked));
});

it('count under the name of their environment', async () => {
  await post(minimal);
  expect(logLines()).toContainEqual(expect.objectContaining({ Environment: 'test', ContactsCreated: 1 }));
});

it('show campaigns', async () => {
  const campaign = { id: '00000000-0000-4000-8000-000000000000', name: 'Spring' };
  await client.send(new PutCommand({ TableName: process.env['CAMPAIGNS_TABLE'], Item: toItem(campaign) }));
  expect((await callerOf('GET /v1/campaigns', listCampaigns)()).body).toStrictEqual([campaign]);
  const answer = await callerOf('GET /v1/campaigns/{id}', getCampaign)({ pathParameters: { id: campaign.id } });
  expect(answer.body).toStrictEqual(campaign);
});
