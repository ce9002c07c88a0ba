import { describe, expect, it } from 'vitest';
import { minimal, startContacts } from '../../support/contacts.ts';

// The limits that cannot be tried over HTTP: a single character is anybody's key, a control character is no header.
it.each([
  ['!', 201],
  ['~', 201],
  [' ', 400],
  ['a\u007f', 400],
  ['k\n', 400],
])('the key %j is answered with %i', async (key, status) => {
  const contacts = await startContacts();
  expect((await contacts.post(minimal, { 'Idempotency-Key': key })).status).toBe(status);
});

describe('a field idempotency-key', () => {
  const field = { 'idempotency-key': 'k' };
  const replayed = { headers: { 'Idempotent-Replayed': 'true' } };

  it('counts as the header, and is no field of the contact request', async () => {
    const contacts = await startContacts();
    const first = await contacts.post({ ...minimal, ...field });
    expect(first.body).not.toHaveProperty('extra');
    expect(await contacts.post({ ...minimal, 'idempotency-key': ' k ' })).toMatchObject(replayed);
    expect(await contacts.post(minimal, { 'Idempotency-Key': 'k' })).toMatchObject(replayed);
    expect(await contacts.post({ ...minimal, ...field, company: 'x' })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'idempotency-key', code: 'idempotency_key_reused' }] },
    });
  });

  it.each([
    ['application/x-www-form-urlencoded', 'message=Hi&phone=123&idempotency-key=k'],
    [
      'multipart/form-data; boundary=~~',
      ['message', 'phone', 'idempotency-key']
        .map((name) => `--~~\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n123\r\n`)
        .concat('--~~--\r\n')
        .join(''),
    ],
  ])('counts in %s, too', async (contentType, body) => {
    const contacts = await startContacts();
    const post = () => contacts.create({ headers: { 'Content-Type': contentType }, body });
    expect((await post()).status).toBe(201);
    expect(await post()).toMatchObject(replayed);
  });

  it('counts as absent when it is blank', async () => {
    const contacts = await startContacts();
    const blank = { ...minimal, 'idempotency-key': ' ' };
    expect((await contacts.post(blank)).status).toBe(201);
    expect((await contacts.post(blank)).headers).not.toHaveProperty('Idempotent-Replayed');
  });

  it('gives way to the header', async () => {
    const contacts = await startContacts();
    const header = { 'Idempotency-Key': 'of-the-header' };
    await contacts.post({ ...minimal, ...field }, header);
    expect(await contacts.post({ ...minimal, 'idempotency-key': ['of', 'no', 'form'] }, header)).toMatchObject(
      replayed,
    );
  });

  it('is named together with the faults of other fields', async () => {
    const contacts = await startContacts();
    const { body } = await contacts.post({ email: 'x', 'idempotency-key': 'a b' });
    expect(body).toMatchObject({ details: [{ field: 'idempotency-key' }, { field: 'email' }, { field: 'message' }] });
  });

  it.each([['a b'], ['ä'], ['x'.repeat(256)], [1], [['k', 'k']], [{}]])('that is %j is refused', async (key) => {
    const contacts = await startContacts();
    expect(await contacts.post({ ...minimal, 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'idempotency-key', code: 'invalid_idempotency_key', limit: 255 }] },
    });
  });
});
