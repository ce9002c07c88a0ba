import { describe, expect, it } from 'vitest';
import { idsIn, minimal, siteOrigin, startContacts } from '../../support/contacts.ts';

const allowOrigin = 'Access-Control-Allow-Origin';
const exposed = 'Access-Control-Expose-Headers';

describe('a page of the site', () => {
  it.each([siteOrigin, 'https://shop.example.com'])('at %s may read the answer', async (origin) => {
    const contacts = await startContacts();
    const answer = await contacts.post(minimal, { Origin: origin });
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({
      [allowOrigin]: origin,
      [exposed]: 'Location, Idempotent-Replayed',
      Vary: 'Origin',
    });
  });

  const json = { 'Content-Type': 'application/json' };
  const errors: [status: number, headers: Readonly<Record<string, string>>, body: string][] = [
    [400, json, '{}'],
    [400, json, '{'],
    [413, json, ' '.repeat(64 * 1024 + 1)],
    [415, { 'Content-Type': 'text/plain' }, 'Hello'],
    [422, { ...json, 'Idempotency-Key': 'k' }, JSON.stringify({ ...minimal, message: 'Something else' })],
  ];
  it.each(errors)('may read the error %i', async (status, headers, body) => {
    const contacts = await startContacts();
    await contacts.post(minimal, { 'Idempotency-Key': 'k' });
    const answer = await contacts.create({ body, headers: { ...headers, Origin: siteOrigin } });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ [allowOrigin]: siteOrigin, [exposed]: expect.any(String), Vary: 'Origin' });
  });
});

describe('a page elsewhere', () => {
  it.each([
    'https://evil.example',
    'http://www.example.com',
    'https://www.example.com:8443',
    'https://www.example.com.evil.example',
    'https://example.com',
    'HTTPS://WWW.EXAMPLE.COM',
    'https://www.example.com/',
    'Null',
    '',
  ])('at %j is refused, and nothing is stored', async (origin) => {
    const contacts = await startContacts();
    const answer = await contacts.post(minimal, { Origin: origin });
    expect(answer.status).toBe(403);
    expect(answer.body).toStrictEqual({ error: 'Forbidden' });
    expect(answer.headers).not.toHaveProperty(allowOrigin);
    expect(answer.headers).toHaveProperty('Vary', 'Origin');
    expect(idsIn(await contacts.list())).toStrictEqual([]);
  });
});

it.each([
  ['none', {}],
  ['null', { Origin: 'null' }],
])('takes a request with the origin %s, for no page to read', async (_, headers) => {
  const contacts = await startContacts();
  const answer = await contacts.post(minimal, headers);
  expect(answer.status).toBe(201);
  expect(answer.headers).not.toHaveProperty(allowOrigin);
  expect(answer.headers).toHaveProperty('Vary', 'Origin');
});

it('lets no page read what staff read', async () => {
  const contacts = await startContacts();
  const headers = { Origin: siteOrigin };
  const id = '00000000-0000-4000-8000-000000000000';
  const answers = await Promise.all([
    contacts.list({ headers }),
    contacts.get({ headers, pathParameters: { id } }),
    contacts.delete({ headers, pathParameters: { id } }),
  ]);
  for (const answer of answers) expect(answer.headers).not.toHaveProperty(allowOrigin);
});
