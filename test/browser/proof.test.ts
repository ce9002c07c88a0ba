import { createHash, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { answerAway, collectPosts } from './form-page.ts';
import { test, type Visit } from './visitor.ts';

const service = inject('service');

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** So few bits that the search takes some milliseconds. */
const bits = 12;

/** Makes the form of a page ask for proofs of work, before a visitor touches it. */
const askForProofs = (page: Page, most = bits) =>
  page.locator('form').evaluate((form, proof) => form.setAttribute('data-proof', proof), String(most));

const open = async (visit: Visit, path = 'index.html') => {
  const page = await visit(service, path);
  await askForProofs(page);
  return { page, posts: collectPosts(page) };
};

const fill = async (page: Page, text: string = randomUUID()) => {
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Message').fill(text);
};

const send = async (page: Page, state: 'arrived' | 'failed' = 'arrived') => {
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator(`[role=status][data-state=${state}]`).waitFor();
};

/** Checks the proof that a page sent: as the service does, and that it was begun around a time. */
const expectProof = (
  sent: Readonly<Record<string, string>> | undefined,
  { origin = service.siteUrl, begun = Date.now(), within = 2 * minute } = {},
) => {
  const { _proof: proof = '', 'idempotency-key': key } = sent ?? {};
  expect(proof).toMatch(/^\d+\.[\w-]{1,32}$/);
  const hash = createHash('sha256').update(`${origin}.${key}.${proof}`).digest();
  expect(Math.clz32(hash.readUInt32BE()), `${key}.${proof}`).toBeGreaterThanOrEqual(bits);
  expect(Math.abs(begun - Number.parseInt(proof, 10) * minute)).toBeLessThan(within);
};

test.for(['index.html', 'json.html'])('the form of %s sends a proof of work', async (path, { visit }) => {
  const { page, posts } = await open(visit, path);
  await fill(page);
  await send(page);
  expectProof(posts[0]);
});

test('a form without data-proof sends no proof of work', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  const posts = collectPosts(page);
  await fill(page);
  await send(page);
  expect(Object.keys(posts[0] ?? {})).not.toContain('_proof');
});

/** 96 characters: a block and a half of SHA-256. With them and keys of 37 lengths, texts end everywhere in a block. */
const longLabels = `${'a'.repeat(63)}.${'b'.repeat(31)}.`;

test.for(['', longLabels])(
  'proofs of keys of all lengths are valid at http://%slocalhost',
  async (labels, { visit }) => {
    const site = { ...service, siteUrl: service.siteUrl.replace('localhost', `${labels}localhost`) };
    const page = await visit(site, 'index.html');
    await askForProofs(page);
    const posts = collectPosts(page);
    await page.route(`${service.apiUrl}/**`, (route) => route.abort());
    for (let digits = 4; digits <= 40; digits += 1) {
      await page.evaluate((count) => {
        // Four numbers of so many digits in all.
        const numberOf = (_: number, index: number) => 10 ** (Math.floor((count + index) / 4) - 1);
        Object.assign(crypto, { getRandomValues: (numbers: Uint32Array) => numbers.map(numberOf) });
      }, digits);
      await fill(page, `A message for a key of ${digits} digits`);
      await send(page, 'failed');
      const sent = posts.at(-1);
      expect(sent?.['idempotency-key']).toHaveLength(digits + 3);
      expectProof(sent, { origin: site.siteUrl });
    }
  },
);

test('typing works during the search, and the form is sent only after it', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await askForProofs(page, 60);
  const posts = collectPosts(page);
  await fill(page, '');
  await page.getByLabel('Message').pressSequentially('Hello!');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').filter({ hasText: 'Sending…' }).waitFor();
  expect(await page.getByLabel('Message').inputValue()).toBe('Hello!');
  expect(posts).toEqual([]);
});

test('the search begins at the first touch, and goes on while the visitor edits', async ({ visit }) => {
  const { page, posts } = await open(visit);
  const touched = Date.now() - hour / 2;
  await page.clock.setSystemTime(touched);
  await page.getByLabel('Name').focus();
  await page.clock.setSystemTime(Date.now());
  for (const text of ['One', 'Two', 'Three']) await fill(page, text);
  await send(page);
  expectProof(posts[0], { begun: touched });
});

test('a retry sends the same key and proof', async ({ visit }) => {
  const { page, posts } = await open(visit);
  await answerAway(page, service);
  await fill(page);
  await send(page, 'failed');
  await send(page);
  expect(posts).toHaveLength(2);
  expect(posts[1]).toEqual(posts[0]);
});

test('a retry after a week sends the same key and a new proof', async ({ visit }) => {
  const { page, posts } = await open(visit);
  await answerAway(page, service);
  await page.clock.setSystemTime(Date.now() - 7 * day);
  await fill(page);
  await send(page, 'failed');
  await page.clock.setSystemTime(Date.now());
  await send(page);
  expect(posts[1]?.['idempotency-key']).toBe(posts[0]?.['idempotency-key']);
  expectProof(posts[1]);
});

test.for(['failed', 'arrived'] as const)(
  'content that follows one that %s has its own key and proof',
  async (state, { visit }) => {
    const { page, posts } = await open(visit);
    if (state === 'failed') await answerAway(page, service);
    await fill(page);
    await send(page, state);

    const touched = Date.now() + hour / 2;
    await page.clock.setSystemTime(touched);
    await fill(page);
    await page.clock.setSystemTime(touched + hour / 4);
    await send(page);
    expect(posts[1]?.['idempotency-key']).not.toBe(posts[0]?.['idempotency-key']);
    expectProof(posts[1], { begun: touched });
  },
);

/** What the clock of a visitor says before the right time, in milliseconds: at the first touch, and when sending. */
const clocks = {
  'that is five hours slow': [5 * hour, 5 * hour],
  'that is five hours fast': [-5 * hour, -5 * hour],
  'that is five hours slow, 20 hours after the first touch': [25 * hour, 5 * hour],
  'that is right, a week after the first touch': [7 * day, 0],
  'that was a week fast at the first touch': [-7 * day, 0],
} as const;

test.for(Object.entries(clocks))(
  'the proof is less than a day old with a clock %s',
  async ([, [touching, sending]], { visit }) => {
    const { page, posts } = await open(visit);
    await page.clock.setSystemTime(Date.now() - touching);
    await fill(page);
    await page.clock.setSystemTime(Date.now() - sending);
    await send(page);
    expectProof(posts[0], { within: day });
  },
);
