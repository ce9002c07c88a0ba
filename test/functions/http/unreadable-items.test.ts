import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { NumberValue, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { campaignsTable } from '../../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { putBrokenItem } from '../../support/broken-item.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { lambdaContext, proxyEvent } from '../../support/event.ts';
import { logLines, logText } from '../../support/log.ts';
import { pagesOf } from '../../support/paging.ts';
import { client, createTable } from '../../support/tables.ts';

const report = (list: string, id: string) =>
  expect.objectContaining({ level: 'error', message: 'item left out of a list: it cannot be read', list, id });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an unreadable item', () => {
  it('is left out of the list of contact requests, logged by id and counted; pages stay full', async () => {
    const contacts = await startContacts();
    const whole = [idIn(await contacts.post(minimal)), idIn(await contacts.post(minimal))];
    const broken: string[] = [];
    for (const time of ['2026-01-01T12:00:00.000Z#', '2026-12-01T12:00:00.000Z#']) {
      broken.push(await putBrokenItem(contacts.table, 'inbox', time));
    }
    contacts.counts.length = 0;
    const pages: string[][] = [];
    for await (const page of pagesOf(contacts.list, [['limit', '1']])) pages.push(idsIn(page));
    expect(pages.map((page) => page.length)).toStrictEqual([1, 1]);
    expect(pages.flat().toSorted()).toStrictEqual(whole.toSorted());
    for (const id of broken) expect(logLines()).toContainEqual(report('contacts', id));
    expect(contacts.counts).toContainEqual(['UnreadableItems']);
    expect(logText()).not.toContain('secret');

    const csv = await contacts.list({ headers: { Accept: 'text/csv' } });
    expect(csv.text.trim().split('\r\n')).toHaveLength(1 + whole.length);
  });

  it('does not bring into the log what contact requests are selected by', async () => {
    const contacts = await startContacts();
    const broken = await putBrokenItem(contacts.table, 'inbox', '2026-01-01T12:00:00.000Z#');
    await contacts.list({ query: [['email', 'ada@example.com']] });
    expect(logLines()).toContainEqual(report('contacts', broken));
    expect(logText()).not.toContain('ada@');
  });

  it('is left out of the list of campaigns, logged by id and counted', async () => {
    const campaigns = await startCampaigns();
    const whole = await campaigns.add('whole');
    const broken = await putBrokenItem(campaigns.table, 'campaigns', 'broken\u001f');
    expect(idsIn(await campaigns.list())).toStrictEqual([whole]);
    expect(logLines()).toContainEqual(report('campaigns', broken));
    expect(campaigns.counts).toStrictEqual([['UnreadableItems']]);
  });

  it('reads an item that holds a number too large for JavaScript', async () => {
    const contacts = await startContacts();
    const id = idIn(await contacts.post(minimal));
    await client.send(
      new UpdateCommand({
        TableName: contacts.table,
        Key: { id },
        UpdateExpression: 'SET huge = :number',
        ExpressionAttributeValues: { ':number': NumberValue.from('12345678901234567890.5') },
      }),
    );
    expect(idsIn(await contacts.list())).toStrictEqual([id]);
    expect((await contacts.get({ pathParameters: { id } })).status).toBe(200);
  });

  it.each([
    ['list-contacts', contactsTable, 'inbox'],
    ['list-campaigns', campaignsTable, 'campaigns'],
  ])('is counted for the environment of %s', async (entry, keys, partition) => {
    const table = await createTable(keys);
    await putBrokenItem(table, partition, '2026-01-01T12:00:00.000Z#');
    vi.stubEnv(keys.variable, table);
    const file = join(import.meta.dirname, '..', '..', '..', 'functions', `${entry}.ts`);
    // The query makes a new module of the entry file only.
    const { handler } = await import(/* @vite-ignore */ `${file}?${randomUUID()}`);
    await handler(proxyEvent('GET /v1/campaigns'), lambdaContext());
    expect(logLines()).toContainEqual(expect.objectContaining({ Environment: 'test', UnreadableItems: 1 }));
  });
});
