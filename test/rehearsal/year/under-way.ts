import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type Answer, nextQuery, sendTo } from '../../acceptance/http.ts';

/** What is sent under a key each, of every kind that a store may keep. */
const contents: Readonly<Record<string, object>> = {
  'of-every-field': {
    email: 'visitor@example.com',
    phone: '+49 170 1234567',
    company: 'Café & Söhne',
    message: ' Two lines,\r\nof which one ends in blanks ',
    firstName: 'Zoe\u0308',
    lastName: "O'Neill",
    colour: 'blue',
    sizes: ['S', 'M'],
    pieces: 3,
  },
  'of-a-number': { phone: '0049 170 1234567', message: 'Call me', company: '' },
  'of-a-bot': { email: 'bot@example.com', message: 'Spam', website: 'https://spam.example.com' },
};

/** Sends what belongs to a key. */
export const send = (baseUrl: string, key: string, content = contents[key] ?? {}): Promise<Answer> =>
  sendTo(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(content),
  });

/** Lists that are read page by page. What comes meanwhile stands before the first page, or behind the last. */
const lists = [
  '/api/v1/contact?limit=4',
  '/api/v1/contact?limit=4&order=asc',
  '/api/v1/contact?limit=2&spam=true',
  '/v1/campaigns?limit=1',
];

const readOn = async (url: string, token: string): Promise<unknown[]> => {
  const page = await sendTo(url, { headers: { Authentication: token } });
  assert.equal(page.status, 200, url);
  const items = v.parse(v.array(v.unknown()), page.body);
  const query = nextQuery(page);
  return query === undefined ? items : [...items, ...(await readOn(new URL(query, url).href, token))];
};

/**
 * Sends with keys, and reads the first page of each list.
 * @returns what goes on with it, at what may be another version by then: each key gets its first answer, and 422 with other
 * content, and a list has after the first page what it had
 */
export const begin = async (baseUrl: string, token: string) => {
  const answers = new Map<string, unknown>();
  for (const key of Object.keys(contents)) {
    const { status, headers, body } = await send(baseUrl, key);
    assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null], key);
    answers.set(key, body);
  }
  const rests = new Map<string, readonly unknown[]>();
  for (const list of lists) {
    const query = nextQuery(await sendTo(`${baseUrl}${list}`, { headers: { Authentication: token } }));
    assert.ok(query, `${list} has one page`);
    const next = list.replace(/\?.*/, query);
    rests.set(next, await readOn(`${baseUrl}${next}`, token));
  }

  return async (laterUrl: string, laterToken: string): Promise<void> => {
    for (const [key, answer] of answers) {
      const { status, headers, body } = await send(laterUrl, key);
      assert.deepEqual([status, headers.get('idempotent-replayed'), body], [201, 'true', answer], key);
      const other = await send(laterUrl, key, { email: 'visitor@example.com', message: 'Something else' });
      assert.equal(other.status, 422, key);
    }
    for (const [next, items] of rests) {
      const read = await readOn(`${laterUrl}${next}`, laterToken);
      assert.deepEqual(read.slice(0, items.length), items, next);
    }
  };
};
