import { expect, it } from 'vitest';
import { startCampaigns } from '../../support/campaigns.ts';
import { notIds } from '../../support/not-ids.ts';

it('answers id and name, and nothing else', async () => {
  const campaigns = await startCampaigns();
  const id = await campaigns.add('Spring – 20 % «off» 😀');
  const answer = await campaigns.get({ pathParameters: { id } });
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({ id, name: 'Spring – 20 % «off» 😀' });
});

it('finds an id whatever its case', async () => {
  const campaigns = await startCampaigns();
  const id = await campaigns.add('Spring');
  const answer = await campaigns.get({ pathParameters: { id: id.toUpperCase() } });
  expect(answer.body).toStrictEqual({ id, name: 'Spring' });
});

it.each(notIds)('answers Not Found and nothing else for %j', async (id) => {
  const campaigns = await startCampaigns();
  await campaigns.add('Spring');
  const answer = await campaigns.get({ pathParameters: { id } });
  expect(answer.status).toBe(404);
  expect(answer.text).toBe('{"error":"Not Found"}');
});
