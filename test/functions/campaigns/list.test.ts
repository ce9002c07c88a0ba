import { expect, it } from 'vitest';
import { startCampaigns } from '../../support/campaigns.ts';
import { pagesOf } from '../../support/paging.ts';

it('answers an empty list when there are no campaigns', async () => {
  const campaigns = await startCampaigns();
  const answer = await campaigns.list();
  expect(answer).toMatchObject({ status: 200, text: '[]' });
  expect(answer.headers).not.toHaveProperty('Link');
});

it('shows a thousand campaigns on a page', async () => {
  const campaigns = await startCampaigns();
  await campaigns.addAll(Array.from({ length: 1001 }, (_, at) => `Campaign ${at}`));
  const sizes: unknown[] = [];
  for await (const { body } of pagesOf(campaigns.list, [])) sizes.push(Array.isArray(body) && body.length);
  expect(sizes).toStrictEqual([1000, 1]);
});
