import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { hasProof } from '../../functions/spam/proof.ts';
import { collectPosts, fill, respondUnavailable, send, storedBy } from './form-page.ts';
import { proofBits as bits } from './service.ts';
import { test, type Visit } from './visitor.ts';

const service = inject('guarded');

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Opens a page whose form demands proofs of work. */
const open = async (visit: Visit, { path = 'index.html', site = service, demanded = bits } = {}) => {
  const page = await visit(site, path);
  await page.locator('form').evaluate((form, proof) => form.setAttribute('data-proof', proof), demanded);
  return { page, posts: collectPosts(page) };
};

const keyOf = (post: Readonly<Record<string, string>> | undefined) => post?.['idempotency-key'];

/** The time of a proof that a page sent, to the minute. */
const timeOf = (post: Readonly<Record<string, string>> | undefined) =>
  Number.parseInt(post?.['_proof'] ?? '', 10) * minute;

const expectAbout = (time: number, expected: number) => expect(Math.abs(time - expected)).toBeLessThan(2 * minute);

test.for(['index.html', 'json.html'])('the service accepts the proof of work of %s', async (path, { visit }) => {
  const text = randomUUID();
  const { page } = await open(visit, { path });
  await fill(page, text);
  await send(page);
  expect(await storedBy(service, text)).toHaveLength(1);
});

test('a form without data-proof sends no proof of work', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  const posts = collectPosts(page);
  await fill(page, randomUUID());
  await send(page);
  expect(Object.keys(posts[0] ?? {})).not.toContain('_proof');
});

/** 96 characters: a block and a half of SHA-256. With them and keys of 37 lengths, texts end everywhere in a block. */
const longLabels = `${'a'.repeat(63)}.${'b'.repeat(31)}.`;

test.for(['', longLabels])(
  'proofs of keys of all lengths are valid at http://%slocalhost',
  async (labels, { visit }) => {
    const site = { ...service, siteUrl: service.siteUrl.replace('localhost', `${labels}localhost`) };
    const { page, posts } = await open(visit, { site });
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
      const key = keyOf(sent);
      expect(key).toHaveLength(digits + 3);
      const fields = new Map(Object.entries(sent ?? {}));
      expect(hasProof(bits, { sent: fields, origin: site.siteUrl, key, now: new Date() }), key).toBe(true);
    }
  },
);

test('typing works during the search, and the form is sent only after it', async ({ visit }) => {
  const { page, posts } = await open(visit, { demanded: 60 });
  await fill(page, '');
  await page.getByLabel('Message').pressSequentially('Hello!');
  expect(await page.getByLabel('Message').inputValue()).toBe('Hello!');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').filter({ hasText: /./ }).waitFor();
  // With luck, the search ends at once.
  expect(posts.filter((post) => post['_proof'] === undefined)).toEqual([]);
});

test('the search begins at the first touch, and goes on while the visitor edits', async ({ visit }) => {
  const text = randomUUID();
  const { page, posts } = await open(visit);
  const touched = Date.now() - hour / 2;
  await page.clock.setSystemTime(touched);
  await page.getByLabel('Name').focus();
  await page.clock.setSystemTime(Date.now());
  for (const words of ['One', 'Two', text]) await fill(page, words);
  await send(page);
  expectAbout(timeOf(posts[0]), touched);
  expect(await storedBy(service, text)).toHaveLength(1);
});

test('a retry sends the same key and proof', async ({ visit }) => {
  const { page, posts } = await open(visit);
  await respondUnavailable(page, service);
  await fill(page, randomUUID());
  await send(page, 'failed');
  await send(page);
  expect(posts).toHaveLength(2);
  expect(posts[1]).toEqual(posts[0]);
});

test('a retry after a week sends the same key and a new proof', async ({ visit }) => {
  const text = randomUUID();
  const { page, posts } = await open(visit);
  await respondUnavailable(page, service);
  await page.clock.setSystemTime(Date.now() - 7 * day);
  await fill(page, text);
  await send(page, 'failed');
  await page.clock.setSystemTime(Date.now());
  await send(page);
  expect(keyOf(posts[1])).toBe(keyOf(posts[0]));
  expect(await storedBy(service, text)).toHaveLength(1);
});

test.for(['failed', 'arrived'] as const)(
  'content that follows one that %s has its own key and proof',
  async (state, { visit }) => {
    const { page, posts } = await open(visit);
    if (state === 'failed') await respondUnavailable(page, service);
    await fill(page, randomUUID());
    await send(page, state);

    const text = randomUUID();
    const touched = Date.now() + hour / 2;
    await page.clock.setSystemTime(touched);
    await fill(page, text);
    await page.clock.setSystemTime(touched + hour / 4);
    await send(page);
    expect(keyOf(posts[1])).not.toBe(keyOf(posts[0]));
    expectAbout(timeOf(posts[1]), touched);
    expect(await storedBy(service, text)).toHaveLength(1);
  },
);

/** How slow the clock of a visitor is, in milliseconds: at the first touch, and when sending. */
const clocks = {
  'that is five hours slow': [5 * hour, 5 * hour],
  'that is five hours fast': [-5 * hour, -5 * hour],
  'that is five hours slow, 20 hours after the first touch': [25 * hour, 5 * hour],
  'that is right, a week after the first touch': [7 * day, 0],
  'that was a week fast at the first touch': [-7 * day, 0],
} as const;

test.for(Object.entries(clocks))(
  'the service accepts the proof of a clock %s',
  async ([, [touching, sending]], { visit }) => {
    const text = randomUUID();
    const { page } = await open(visit);
    await page.clock.setSystemTime(Date.now() - touching);
    await fill(page, text);
    await page.clock.setSystemTime(Date.now() - sending);
    await send(page);
    expect(await storedBy(service, text)).toHaveLength(1);
  },
);
