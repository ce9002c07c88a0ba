import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../support/call.ts';
import { type ContactsService, idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

/** Posts the required fields with members of JSON that no object literal can have. */
const postMembers = (contacts: ContactsService, members: string): Promise<ApiResponse> =>
  contacts.create({
    headers: { 'Content-Type': 'application/json' },
    body: `${JSON.stringify(minimal).slice(0, -1)},${members}}`,
  });

const detailsOf = async (fields: object): Promise<unknown> => {
  const response = await (await startContacts()).post({ ...minimal, ...fields });
  expect(response.status).toBe(400);
  return JSON.parse(response.text).details;
};

const fieldsOf = (count: number, value: unknown = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field-${at}`, value]));

describe('an extra field', () => {
  it.each([
    [
      [' a\r\nb\t', 'Ame\u0301lie', '', null],
      ['a\nb', 'Amélie'],
    ],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [['', null], undefined],
  ])('stores %j as %j', async (value, stored) => {
    const response = await (await startContacts()).post({ ...minimal, consent: value });
    expect(JSON.parse(response.text).extra).toStrictEqual(stored && { consent: stored });
  });

  it('is refused if JavaScript cannot hold its number', async () => {
    const response = await postMembers(await startContacts(), '"order":1e999');
    expect(response).toMatchObject({ status: 400, body: { details: [{ field: 'order', code: 'not_text' }] } });
  });

  it('has its error listed with the errors of other fields, and only one for the whole body', async () => {
    const tooLarge = { email: 'nobody', ...fieldsOf(9, 'x'.repeat(2000)), '': 'x' };
    expect(await detailsOf(tooLarge)).toMatchObject([{ field: 'email' }, { field: 'body', code: 'invalid_name' }]);
  });
});

describe("with extraFields: 'ignore'", () => {
  const ignoring = () => startContacts(undefined, { extraFields: 'ignore' });

  it('drops extra fields, and logs their number, not their names or values', async () => {
    const contacts = await ignoring();
    const extra = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`extra-${at}`, `value-${at}`]));
    const response = await contacts.post({ ...minimal, ...extra });
    expect(response.body).toStrictEqual({
      id: idIn(response),
      createdAt: expect.any(String),
      ...minimal,
      success: true,
    });
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'fields ignored', count: 1000 }),
    );
    expect(logText()).not.toMatch(/extra-|value-/);
  });

  // `curl -d '{"email":…}'` without a type sends one name: the whole body.
  it('logs no names if JSON has the type of a form', async () => {
    const contacts = await ignoring();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await contacts.create({ headers, body: JSON.stringify(minimal) })).status).toBe(400);
    expect(logLines()).toContainEqual(expect.objectContaining({ count: 1 }));
    for (const secret of Object.values(minimal)) expect(logText()).not.toContain(secret);
  });

  it('logs nothing without extra fields', async () => {
    const contacts = await ignoring();
    await contacts.post({ ...minimal, _gotcha: '', 'idempotency-key': 'k' });
    expect(logText()).not.toContain('ignored');
  });

  it('replays an idempotency key without comparing extra fields', async () => {
    const contacts = await ignoring();
    const first = await contacts.post({ ...minimal, subject: 'Tea' }, { 'Idempotency-Key': 'k' });
    expect(await contacts.post(minimal, { 'Idempotency-Key': 'k' })).toMatchObject({ status: 201, text: first.text });
  });
});

describe('a trap field', () => {
  it('marks as spam if any of the configured traps is filled, and is not stored', async () => {
    const contacts = await startContacts(undefined, { spam: { traps: ['fax', '_gotcha'], requireTrap: false } });
    const posted = async (filled: object) => {
      const response = await contacts.post({ ...minimal, fax: '', _gotcha: '', other: 'kept', ...filled });
      expect(response.body).toHaveProperty('extra', { other: 'kept' });
      return idIn(response);
    };
    const marked = [await posted({ fax: 'x' }), await posted({ _gotcha: 'x' })];
    const unmarked = await posted({});
    expect(idsIn(await contacts.list())).toEqual([unmarked]);
    expect(idsIn(await contacts.list({ query: [['spam', 'true']] })).toSorted()).toEqual(marked.toSorted());
  });

  it('counts as filled with a value of 4,900 nested lists', async () => {
    const contacts = await startContacts();
    const response = await postMembers(contacts, `"_gotcha":${'['.repeat(4_900)}${']'.repeat(4_900)}`);
    expect(idsIn(await contacts.list({ query: [['spam', 'true']] }))).toStrictEqual([idIn(response)]);
  });
});
