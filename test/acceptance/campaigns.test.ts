import * as v from 'valibot';
import { expect, test } from 'vitest';
import { absentId, campaignsPath, sendAsStaff } from './client.ts';
import { expectError } from './expect-error.ts';
import { nextQuery } from './http.ts';
import { junkIds } from './junk-ids.ts';
import { requires, target } from './target.ts';

/** Campaigns with exactly an id and a name. */
const campaigns = v.array(
  v.strictObject({
    id: v.pipe(v.string(), v.uuid()),
    name: v.pipe(
      v.string(),
      v.check((name) => name !== '' && [...name].length <= 200),
    ),
  }),
);

const page = async (query = '') => {
  const response = await sendAsStaff(campaignsPath + query);
  expect(response.status, response.text).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  return { items: v.parse(campaigns, response.body), next: nextQuery(response) };
};

test('lists ids and names in the order of names', async () => {
  const { items } = await page();
  const sortKeys = items.map(({ name }) => name.toLowerCase());
  expect(sortKeys).toEqual([...sortKeys].sort());
});

test('returns each campaign once across all pages, in the same order', async () => {
  const { items: all } = await page();
  const seen = [];
  let query: string | undefined = '?limit=1';
  while (query !== undefined && seen.length <= all.length) {
    const { items, next } = await page(query);
    seen.push(...items);
    query = next;
  }
  expect(seen).toEqual(all);
  expect(query).toBeUndefined();
});

test('links to the next page by its absolute URL', async (context) => {
  requires(context, 'location');
  context.skip((await page()).items.length < 2, 'the target has no two campaigns');
  const { headers } = await sendAsStaff(`${campaignsPath}?limit=1`);
  expect(headers.get('link')).toContain(`<${target.baseUrl}${campaignsPath}?limit=1&cursor=`);
});

test('finds a campaign by its id in any case', async ({ skip }) => {
  const [campaign] = (await page('?limit=1')).items;
  if (!campaign) return skip('the target has no campaigns');
  for (const id of [campaign.id, campaign.id.toUpperCase()]) {
    const response = await sendAsStaff(`${campaignsPath}/${id}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(campaign);
  }
});

test.for([absentId, ...junkIds])(
  'responds with 404 to the unknown campaign %s, with one field',
  async (id, context) => {
    if (id.includes('%2F')) requires(context, 'encoded-slash');
    const response = await sendAsStaff(`${campaignsPath}/${id}`);
    expectError(response, 404);
    expect(response.text).toBe('{"error":"Not Found"}');
  },
);

test.for([
  ['limit=0', ['limit']],
  ['limit=1001', ['limit']],
  ['limit=ten', ['limit']],
  ['limit=1&limit=2', ['limit']],
  ['cursor=nonsense', ['cursor']],
  ['since=2026-01-01T00:00:00Z&spam=true&__proto__=x', ['since', 'spam', '__proto__']],
] as const)('refuses the query %s with 400, and names every wrong parameter', async ([query, errors]) => {
  expectError(await sendAsStaff(`${campaignsPath}?${query}`), 400, errors);
});
