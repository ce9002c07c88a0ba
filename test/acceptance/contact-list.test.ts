import { expect, test } from 'vitest';
import {
  campaignsPath,
  contactPath,
  create,
  createMany,
  deleteContact,
  listOnceItHolds,
  listPage,
  listSince,
  post,
  sendAsStaff,
  storedIn,
  visitor,
} from './client.ts';
import type { Contact } from './contact.ts';
import { expectError } from './expect-error.ts';
import { nextQuery } from './http.ts';
import { requires, target } from './target.ts';

const ids = (contacts: readonly Contact[]) => contacts.map(({ id }) => id);

test('lists new contact requests, newest first', async () => {
  const older = await create({ company: 'Older' });
  const newer = await create({ company: 'Newer', firstName: 'Ada' });
  const list = await listOnceItHolds(older, [older, newer]);
  expect(list).toEqual(expect.arrayContaining([older, newer]));
  expect(list.map(({ createdAt }) => createdAt)).toEqual(
    list
      .map(({ createdAt }) => createdAt)
      .sort()
      .reverse(),
  );
});

test('returns each contact request once across all pages, while others are created and deleted', async () => {
  const first = await create();
  const made = [first, ...(await createMany(49))];
  await listOnceItHolds(first, made);

  const limit = 12;
  const seen: Contact[] = [];
  const deleted = new Set<string>();
  let query: string | undefined = `?limit=${limit}&since=${first.createdAt}`;
  while (query !== undefined) {
    const { items, next } = await listPage(query);
    if (next !== undefined) expect(items).toHaveLength(limit);
    seen.push(...items);
    query = next;

    const alreadySeen = made.find(({ id }) => ids(items).includes(id));
    const notYetSeen = made.findLast(({ id }) => !ids(seen).includes(id) && !deleted.has(id) && id !== first.id);
    await create();
    for (const victim of [alreadySeen, notYetSeen]) if (victim) await deleteContact(victim.id);
    if (notYetSeen) deleted.add(notYetSeen.id);
  }

  expect(new Set(ids(seen)).size).toBe(seen.length);
  for (const id of ids(made)) expect(ids(seen).includes(id), id).toBe(!deleted.has(id));
});

test('links to the next page by its absolute URL with the same parameters; the last page has no link', async (context) => {
  requires(context, 'location');
  const one = await create();
  const other = await create();
  await listOnceItHolds(one, [one, other]);
  const first = await sendAsStaff(`${contactPath}?limit=1&since=${one.createdAt}&spam=false`);
  const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
  expect(url.startsWith(`${target.baseUrl}${contactPath}?`), url).toBe(true);
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    limit: '1',
    since: one.createdAt,
    spam: 'false',
    cursor: expect.stringMatching(/./),
  });
  const last = await sendAsStaff(`${contactPath}?limit=200&since=2999-01-01T00:00:00Z`);
  expect(last.body).toEqual([]);
  expect(last.headers.get('link')).toBeNull();
});

test('with order=asc, returns each contact request once, oldest first, up to the time of the first page', async () => {
  const first = await create();
  const made = [first, ...(await createMany(9))];
  await listOnceItHolds(first, made);

  const seen: Contact[] = [];
  const query = `?order=asc&limit=4&since=${first.createdAt}`;
  for (let next: string | undefined = query; next !== undefined; ) {
    const { items, next: following } = await listPage(next);
    seen.push(...items);
    await create();
    if (following) expect(new URLSearchParams(following).get('until')).toMatch(/^\d{4}-.*Z$/);
    next = following;
  }
  expect(new Set(ids(seen)).size).toBe(seen.length);
  expect(ids(seen)).toEqual(expect.arrayContaining(ids(made)));
  expect(seen.map(({ createdAt }) => createdAt)).toEqual(seen.map(({ createdAt }) => createdAt).sort());
});

test('returns 50 contact requests on a page by default', async () => {
  const first = await create();
  await listOnceItHolds(first, await createMany(51));
  const { items, next } = await listPage(`?since=${first.createdAt}`);
  expect(items).toHaveLength(50);
  expect(next).toBeDefined();
});

test('includes since, excludes until, and accepts any offset', async () => {
  const contact = await create();
  await listOnceItHolds(contact, [contact]);
  const time = Date.parse(contact.createdAt);
  const holds = async (since: number, until: number) => {
    const query = `limit=200&since=${new Date(since).toISOString()}&until=${new Date(until).toISOString()}`;
    return ids((await listPage(`?${query}`)).items).includes(contact.id);
  };
  expect(await holds(time, time + 1)).toBe(true);
  expect(await holds(time - 1, time)).toBe(false);
  expect(await holds(time + 1, time + 2)).toBe(false);
  expect(await holds(time + 1, time)).toBe(false);

  const local = `${new Date(time + 2 * 60 * 60 * 1000).toISOString().slice(0, -1)}+02:00`;
  const { items } = await listPage(`?limit=200&since=${encodeURIComponent(local)}`);
  expect(ids(items)).toContain(contact.id);
});

test('selects by form, site, campaign and email, in any case, together with the other parameters', async () => {
  const form = `Sales ${target.run}`;
  const campaign = `Été, Große Straße ${target.run}`;
  const otherForm = `Support ${target.run}`;
  const before = await create();
  const fields = visitor({ 'form-name': form, campaign });
  const asked = storedIn(await post(fields, { Origin: target.siteOrigin }));
  const again = await create({ 'form-name': form.toUpperCase() });
  const other = await create({ 'form-name': otherForm, campaign });
  const caught = await create({ 'form-name': form, _gotcha: 'https://spam.example.net' });
  await listOnceItHolds(before, [asked, again, other]);
  await listOnceItHolds(before, [caught], '&spam=true');

  const found = async (selection: Record<string, string | readonly string[]>, more = '') => {
    const query = Object.entries(selection).flatMap(([name, texts]) =>
      [texts].flat().map((text) => `&${name}=${encodeURIComponent(text)}`),
    );
    return ids(await listSince(before, query.join('') + more));
  };
  expect(await found({ form: ` ${form.toLowerCase()}` })).toEqual(ids([again, asked]));
  expect(await found({ form }, '&order=asc')).toEqual(ids([asked, again]));
  expect(await found({ form: [form, otherForm] })).toEqual(ids([other, again, asked]));
  expect(await found({ form, campaign: campaign.toUpperCase().normalize('NFD') })).toEqual(ids([asked]));
  expect(await found({ form: [form, otherForm], email: fields.email.toUpperCase() })).toEqual(ids([asked]));
  expect(await found({ form: [form, otherForm], site: `${target.siteOrigin.toUpperCase()}/` })).toEqual(ids([asked]));
  expect(await found({ form }, '&spam=true')).toEqual(ids([caught]));
  expect(await found({ form }, `&until=${asked.createdAt}`)).toEqual([]);
  expect(await found({ form: `${form} and more` })).toEqual([]);
  const pages = [];
  let query: string | undefined = `?limit=1&since=${before.createdAt}&form=${encodeURIComponent(form)}`;
  while (query !== undefined) {
    const { items, next } = await listPage(query);
    pages.push(ids(items));
    query = next;
  }
  expect(pages.slice(0, 2)).toEqual([ids([again]), ids([asked])]);
  expect(pages.slice(2).flat()).toEqual([]);
  const csv = await sendAsStaff(`${contactPath}?form=${encodeURIComponent(otherForm)}`, {
    headers: { Accept: 'text/csv' },
  });
  expect(csv.text.match(/^[\da-f-]{36},/gm)).toEqual([`${other.id},`]);
});

test.for([
  ['limit=0', ['limit']],
  ['limit=201', ['limit']],
  ['limit=1.5', ['limit']],
  ['limit=1e2', ['limit']],
  ['limit=', ['limit']],
  ['limit=99999999999999999999', ['limit']],
  ['limit=5%0d%0aSet-Cookie:%20a=b', ['limit']],
  ['since=2026-01-01', ['since']],
  ['since=2026-02-30T00:00:00Z', ['since']],
  ['until=1767225600', ['until']],
  ['spam=maybe', ['spam']],
  ['spam=', ['spam']],
  ['order=up', ['order']],
  ['cursor=nonsense', ['cursor']],
  ['cursor=', ['cursor']],
  ['form=%20', ['form']],
  ['campaign=', ['campaign']],
  ['site=www.example.com', ['site']],
  ['site=https://www.example.com&site=x&site=y', ['site']],
  ['email=ada+tea@example.com', ['email']],
  ['page=2', ['page']],
  ['LIMIT=5', ['LIMIT']],
  ['__proto__=x', ['__proto__']],
  ['limit=5&limit=5', ['limit']],
  ['limit=0&since=x&until=x&spam=x&cursor=x&page=2', ['limit', 'since', 'until', 'spam', 'cursor', 'page']],
] as const)('refuses the query %s with 400, and names every wrong parameter', async ([query, errors]) => {
  const response = await sendAsStaff(`${contactPath}?${query}`);
  expectError(response, 400, errors);
  expect(response.headers.get('set-cookie')).toBeNull();
});

test('refuses a changed cursor, and a cursor of another list, order or selection', async () => {
  const one = await create();
  const other = await create();
  await listOnceItHolds(one, [one, other]);
  const cursorIn = (query = '') => new URLSearchParams(query).get('cursor') ?? '';
  const { next } = await listPage(`?limit=1&since=${one.createdAt}`);
  const cursor = cursorIn(next);
  for (const forged of [cursor.slice(1), `${cursor}A`, cursor.toUpperCase()]) {
    expectError(await sendAsStaff(`${contactPath}?cursor=${forged}`), 400, ['cursor']);
  }
  expectError(await sendAsStaff(`${campaignsPath}?cursor=${cursor}`), 400, ['cursor']);
  for (const other of ['order=asc', 'form=contact', 'email=ada@example.com']) {
    expectError(await sendAsStaff(`${contactPath}?${other}&cursor=${cursor}`), 400, ['cursor']);
  }

  const campaignCursor = cursorIn(nextQuery(await sendAsStaff(`${campaignsPath}?limit=1`)));
  expectError(await sendAsStaff(`${contactPath}?cursor=${campaignCursor}`), 400, ['cursor']);
});
