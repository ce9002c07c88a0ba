import { expect, it } from 'vitest';
import { encodeCursor } from '../../../functions/http/paging.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { pagesOf } from '../../support/paging.ts';

it('returns an empty list without campaigns', async () => {
  const campaigns = await startCampaigns();
  const response = await campaigns.list();
  expect(response).toMatchObject({ status: 200, text: '[]' });
  expect(response.headers).not.toHaveProperty('Link');
});

it('lists a thousand campaigns on a page by default', async () => {
  const campaigns = await startCampaigns();
  await campaigns.addAll(Array.from({ length: 1001 }, (_, at) => `Campaign ${at}`));
  const sizes: unknown[] = [];
  for await (const { body } of pagesOf(campaigns.list, [])) sizes.push(Array.isArray(body) && body.length);
  expect(sizes).toStrictEqual([1000, 1]);
});

it('refuses a forged cursor with a valid checksum', async () => {
  const campaigns = await startCampaigns();
  const id = '00000000-0000-4000-8000-000000000000';
  const ask = (key: string) => campaigns.list({ query: [['cursor', encodeCursor('campaigns', key)]] });
  for (const key of ['x', id, `\u001f${id}`, `a\u001fb\u001f${id}`, `${'😀'.repeat(400)}\u001f${id}`]) {
    expect(await ask(key)).toMatchObject({ status: 400, body: { details: [{ field: 'cursor' }] } });
  }
  expect(await ask(`${'😀'.repeat(200)}\u001f${id}`)).toMatchObject({ status: 200, text: '[]' });
});
