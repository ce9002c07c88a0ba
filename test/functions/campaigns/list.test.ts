import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/call.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { minimal, startContacts } from '../../support/contacts.ts';
import { allPagesOf, nextUrl } from '../../support/paging.ts';

const namesIn = ({ body }: Answer): string[] =>
  v
    .parse(v.array(v.strictObject({ id: v.pipe(v.string(), v.uuid()), name: v.string() })), body)
    .map(({ name }) => name);

const startWith = async (...names: string[]) => {
  const campaigns = await startCampaigns();
  await campaigns.addAll(names);
  return campaigns;
};

it('answers an empty list when there are no campaigns', async () => {
  const campaigns = await startCampaigns();
  const answer = await campaigns.list();
  expect(answer.status).toBe(200);
  expect(answer.text).toBe('[]');
  expect(answer.headers).toStrictEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
});

it('answers id and name of each campaign, and nothing else', async () => {
  const campaigns = await startCampaigns();
  const id = await campaigns.add('Spring');
  expect((await campaigns.list()).body).toStrictEqual([{ id, name: 'Spring' }]);
});

it('sorts by name, whatever its case', async () => {
  const campaigns = await startWith('b', 'A', 'C', 'a1', 'B2', '10', 'c0');
  expect(namesIn(await campaigns.list())).toStrictEqual(['10', 'A', 'a1', 'b', 'B2', 'C', 'c0']);
});

it('puts a name before those that it begins', async () => {
  const campaigns = await startWith('Spring sale', 'Spring-sale', 'Spring!', 'Springs', 'spring', 'Spring "one"');
  expect(namesIn(await campaigns.list())[0]).toBe('spring');
});

it('shows campaigns of one name, always in the same order', async () => {
  const campaigns = await startCampaigns();
  const ids = ['b', 'a', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  for (const id of ids) await campaigns.add('Spring', id);
  const answer = await campaigns.list();
  expect(answer.body).toStrictEqual(ids.toSorted().map((id) => ({ id, name: 'Spring' })));
});

it('pages through names of every script', async () => {
  const names = [
    'Été',
    'zoo',
    'ÄPFEL',
    'Δ',
    'Яблоко',
    '春',
    '한국',
    'ＡＢＣ',
    'ﾃｽﾄ',
    '\ufffd',
    '😀',
    '𝒜',
    '\u{10ffff}',
  ];
  const campaigns = await startWith(...names);
  const all = namesIn(await campaigns.list());
  expect(all.toSorted()).toStrictEqual(names.toSorted());
  const pages = await allPagesOf(campaigns.list, [['limit', '1']]);
  expect(pages.flatMap(namesIn)).toStrictEqual(all);
});

it('pages through whatever names there are: full pages, nothing skipped, nothing repeated', async () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (names, limit) => {
      const campaigns = await startWith(...names);
      const pages = await allPagesOf(campaigns.list, [['limit', String(limit)]]);
      expect(pages.flatMap(namesIn).toSorted()).toStrictEqual(names.toSorted());
      expect(pages).toHaveLength(Math.max(1, Math.ceil(names.length / limit)));
    }),
    { numRuns: 15 },
  );
});

it('links to the next page, absolutely', async () => {
  const campaigns = await startWith('a', 'b', 'c');
  const first = await campaigns.list({ query: [['limit', '2']] });
  const url = nextUrl(first);
  expect(`${url?.origin}${url?.pathname}`).toBe('https://api.example.com/test/v1/campaigns');
  const second = await campaigns.list({ query: [...(url?.searchParams ?? [])] });
  expect([first, second].map(namesIn)).toStrictEqual([['a', 'b'], ['c']]);
  expect(second.headers).not.toHaveProperty('Link');
});

it('shows a thousand campaigns on one page unless fewer are asked for', async () => {
  const campaigns = await startCampaigns();
  const names = Array.from({ length: 1001 }, (_, at) => String(at).padStart(4, '0'));
  await campaigns.addAll(names);
  const pages = await allPagesOf(campaigns.list, []);
  expect(pages.map(namesIn)).toStrictEqual([names.slice(0, 1000), names.slice(1000)]);
  expect(namesIn(await campaigns.list({ query: [['limit', '1000']] }))).toHaveLength(1000);
});

describe('a parameter', () => {
  it.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', 'all'],
    ['cursor', 'x'],
    ['since', '2026-03-01T00:00:00Z'],
    ['spam', 'true'],
    ['name', 'x'],
    ['__proto__', 'x'],
  ])('is refused: %s=%s', async (name, value) => {
    const campaigns = await startCampaigns();
    const answer = await campaigns.list({ query: [[name, value]] });
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual({
      error: 'Bad Request',
      details: [{ field: name, message: expect.any(String) }],
    });
  });

  it('comes once', async () => {
    const campaigns = await startCampaigns();
    const answer = await campaigns.list({
      query: [
        ['limit', '5'],
        ['limit', '5'],
      ],
    });
    expect(answer.body).toMatchObject({ details: [{ field: 'limit' }] });
  });
});

it('keeps the cursors of the two lists apart', async () => {
  const campaigns = await startWith('a', 'b');
  const contacts = await startContacts();
  await contacts.post(minimal);
  await contacts.post(minimal);
  const cursorOf = async (list: typeof campaigns.list) =>
    nextUrl(await list({ query: [['limit', '1']] }))?.searchParams.get('cursor') ?? '';
  for (const [list, cursor] of [
    [contacts.list, await cursorOf(campaigns.list)],
    [campaigns.list, await cursorOf(contacts.list)],
  ] as const) {
    const answer = await list({ query: [['cursor', cursor]] });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ details: [{ field: 'cursor' }] });
  }
});
