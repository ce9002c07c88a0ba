import { describe, expect, it } from 'vitest';
import { germanSite, idsIn, minimal, siteOrigin, startContacts, startForms } from '../../support/contacts.ts';

const keyed = { 'Idempotency-Key': 'k' };
const replayed = { status: 201, headers: { 'Idempotent-Replayed': 'true' } };

// HTTP cannot send these: control characters are no header, and a single character may be anyone's key.
it.each([
  ['!', 201],
  ['~', 201],
  [' ', 400],
  ['a\u007f', 400],
  ['k\n', 400],
])('responds to the key %j with %i', async (key, status) => {
  expect((await startForms().post(minimal, { 'Idempotency-Key': key })).status).toBe(status);
});

it.each([
  ['not filled, then filled', {}, { _gotcha: 'x' }],
  ['filled, then not filled', { _gotcha: 'x' }, {}],
])('replays a key whatever is in the trap: %s', async (_, first, second) => {
  const contacts = await startContacts();
  const { text } = await contacts.post({ ...minimal, ...first }, keyed);
  expect(await contacts.post({ ...minimal, ...second }, keyed)).toMatchObject({ ...replayed, text });
});

it('replays a key whatever the order of the fields', async () => {
  const contacts = await startContacts();
  const first = await contacts.post({ ...minimal, topic: 'Tea', tags: ['a', 'b'] }, keyed);
  const again = await contacts.post({ tags: ['a', 'b'], topic: 'Tea', ...minimal }, keyed);
  expect(again).toMatchObject({ ...replayed, text: first.text });
  expect((await contacts.post({ ...minimal, topic: 'Tea', tags: ['b', 'a'] }, keyed)).status).toBe(422);
});

describe('the field idempotency-key', () => {
  const field = { 'idempotency-key': 'k' };

  it('works as the header does, and is named by an error', async () => {
    const contacts = await startContacts();
    await contacts.post({ ...minimal, ...field });
    expect(await contacts.post({ ...minimal, 'idempotency-key': ' k ' })).toMatchObject(replayed);
    expect(await contacts.post(minimal, keyed)).toMatchObject(replayed);
    expect(await contacts.post({ ...minimal, ...field, company: 'x' })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'idempotency-key', code: 'idempotency_key_reused' }] },
    });
  });

  it('is missing if it is blank', async () => {
    const contacts = await startContacts();
    const blank = { ...minimal, 'idempotency-key': ' ' };
    expect((await contacts.post(blank)).status).toBe(201);
    expect((await contacts.post(blank)).headers).not.toHaveProperty('Idempotent-Replayed');
  });

  it('is ignored if there is a header', async () => {
    const contacts = await startContacts();
    await contacts.post({ ...minimal, 'idempotency-key': 'other' }, keyed);
    expect(await contacts.post({ ...minimal, 'idempotency-key': ['any', 'form'] }, keyed)).toMatchObject(replayed);
  });

  it('has its error listed with the errors of other fields', async () => {
    const { body } = await startForms().post({ email: 'x', company: 'y'.repeat(201), 'idempotency-key': 'a b' });
    expect(body).toMatchObject({ details: [{ field: 'idempotency-key' }, { field: 'email' }, { field: 'company' }] });
  });

  it.each([['ä'], ['x'.repeat(256)], [1], [['k', 'k']], [{ k: 1 }]])('is refused as %j', async (key) => {
    expect(await startForms().post({ ...minimal, 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'idempotency-key', code: 'invalid_idempotency_key', limit: 255 }] },
    });
  });
});

describe('a plain form', () => {
  const plainForm = { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' };

  it('is stored once for each site, whatever the order of its fields', async () => {
    const contacts = await startContacts();
    for (const Origin of [siteOrigin, germanSite.origin])
      for (const body of ['message=Hi&phone=123&a=1&b=2', 'b=2&a=1&phone=123&message=Hi'])
        await contacts.create({ headers: { ...plainForm, Origin }, body });
    expect((await contacts.list()).body).toMatchObject([{ site: expect.anything() }, { site: expect.anything() }]);
  });

  it('is stored once for each hour of the clock', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const contacts = await startContacts(() => now);
    const post = () => contacts.create({ headers: plainForm, body: String(new URLSearchParams(minimal)) });
    await post();
    now = new Date('2026-03-01T12:59:59.999Z');
    await post();
    expect(idsIn(await contacts.list())).toHaveLength(1);
    now = new Date('2026-03-01T13:00:00.000Z');
    await post();
    expect(idsIn(await contacts.list())).toHaveLength(2);
  });

  it('is stored although the same was caught before, which is stored once, too', async () => {
    const contacts = await startContacts();
    const spam = { ...minimal, _gotcha: 'x' };
    for (const fields of [spam, spam, minimal, spam, minimal])
      await contacts.create({ headers: plainForm, body: String(new URLSearchParams(fields)) });
    expect(idsIn(await contacts.list())).toHaveLength(1);
    expect(idsIn(await contacts.list({ query: [['spam', 'true']] }))).toHaveLength(1);
  });

  it('is stored each time without an address or a number, because two people can answer a poll alike', async () => {
    const contacts = await startContacts();
    for (const _ of ['one', 'another']) await contacts.create({ headers: plainForm, body: 'message=Yes' });
    expect(idsIn(await contacts.list())).toHaveLength(2);
  });

  it('is not what a script sends that accepts HTML', async () => {
    const contacts = await startContacts();
    const headers = { ...plainForm, 'Sec-Fetch-Mode': 'cors' };
    const body = String(new URLSearchParams(minimal));
    expect((await contacts.create({ headers, body })).body).toMatchObject(minimal);
    expect((await contacts.create({ headers, body })).headers).not.toHaveProperty('Idempotent-Replayed');
  });
});
