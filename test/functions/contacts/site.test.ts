import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { idIn, minimal, siteOrigin, siteWithThankYouPage, startContacts } from '../../support/contacts.ts';

const plainForm = (origin?: string) => ({
  headers: {
    Accept: 'text/html',
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(origin !== undefined && { Origin: origin }),
  },
  body: new URLSearchParams(minimal).toString(),
});

it("sends a plain form's visitor to the thank-you page of the site that it was posted from, and of no other", async () => {
  const contacts = await startContacts();
  expect(await contacts.create(plainForm(siteWithThankYouPage.origin))).toMatchObject({
    status: 303,
    headers: { Location: siteWithThankYouPage.thankYouUrl, 'Cache-Control': 'no-store' },
    text: '',
  });
  for (const origin of [siteOrigin, 'null', undefined]) {
    expect((await contacts.create(plainForm(origin))).status).toBe(201);
  }
});

it('stores the site of the page that posts with the contact request, and answers it by every door', async () => {
  const contacts = await startContacts();
  const created = await contacts.post(minimal, { Origin: siteOrigin });
  const id = idIn(created);
  const whole = { id, createdAt: '2026-03-01T12:00:00.000Z', ...minimal, site: siteOrigin };
  expect(created.body).toStrictEqual(whole);
  expect((await contacts.get({ pathParameters: { id } })).body).toStrictEqual(whole);
  expect((await contacts.list()).body).toStrictEqual([whole]);
  const csv = await contacts.list({ headers: { Accept: 'text/csv' } });
  expect(parse(csv.text, { columns: true, bom: true })).toMatchObject([{ site: siteOrigin }]);
});

it('gives no site to what comes from no page of one, whatever its fields say', async () => {
  const contacts = await startContacts();
  for (const headers of [{}, { Origin: 'null' }]) {
    const { status, body } = await contacts.post({ ...minimal, site: siteOrigin }, headers);
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('site');
  }
  const { body } = await contacts.post({ ...minimal, site: 'https://foreign.example.net' }, { Origin: siteOrigin });
  expect(body).toHaveProperty('site', siteOrigin);
});

it('replays a key from whichever site, and answers the site of the first', async () => {
  const contacts = await startContacts();
  const key = { 'Idempotency-Key': 'k' };
  const first = await contacts.post(minimal, { ...key, Origin: siteOrigin });
  for (const headers of [{ Origin: siteWithThankYouPage.origin }, { Origin: 'null' }, {}]) {
    const again = await contacts.post(minimal, { ...key, ...headers });
    expect(again).toMatchObject({ status: 201, text: first.text, headers: { 'Idempotent-Replayed': 'true' } });
  }
});
