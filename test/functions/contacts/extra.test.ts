import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/call.ts';
import { type ContactsService, idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

/** Posts the required fields with members of JSON that no object literal can have. */
const postMembers = (contacts: ContactsService, members: string): Promise<Answer> =>
  contacts.create({
    headers: { 'Content-Type': 'application/json' },
    body: `${JSON.stringify(minimal).slice(0, -1)},${members}}`,
  });

const extraOf = async (fields: object): Promise<unknown> => {
  const answer = await (await startContacts()).post({ ...minimal, ...fields });
  expect(answer.status).toBe(201);
  return JSON.parse(answer.text).extra;
};

const detailsOf = async (fields: object): Promise<unknown> => {
  const answer = await (await startContacts()).post({ ...minimal, ...fields });
  expect(answer.status).toBe(400);
  return JSON.parse(answer.text).details;
};

const fieldsOf = (count: number, value: unknown = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`field-${at}`, value]));

describe('an extra field', () => {
  it.each([
    [' Tea\r\nand cake\t', 'Tea\nand cake'],
    ['Ame\u0301lie', 'Amélie'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [
      ['a', ' b ', '', null, ' '],
      ['a', 'b'],
    ],
    ['😀'.repeat(2000), '😀'.repeat(2000)],
  ])('stores %j as text', async (value, stored) => {
    expect(await extraOf({ consent: value })).toStrictEqual({ consent: stored });
  });

  it.each([[''], [null], [[]], [['', null]]])('is missing if its value is %j', async (value) => {
    expect(await extraOf({ consent: value, '': value })).toBeUndefined();
  });

  it.each([
    [[{}], { code: 'not_text' }],
    [2 ** 53, { code: 'not_text' }],
    [['a', 'bell \u0007'], { code: 'control_character' }],
    ['a'.repeat(2001), { code: 'too_long', limit: 2000 }],
  ])('is named if its value is %j', async (value, fault) => {
    expect(await detailsOf({ consent: value, subject: 'Tea' })).toStrictEqual([
      { field: 'consent', ...fault, message: expect.any(String) },
    ]);
  });

  it('is refused if JavaScript cannot hold its number', async () => {
    const answer = await postMembers(await startContacts(), '"order":1e999');
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'order', code: 'not_text' }] } });
  });

  it('has a name of 1 to 64 characters, without control characters', async () => {
    const fits = { ['😀'.repeat(64)]: 'x', ' ': 'x' };
    expect(await extraOf(fits)).toStrictEqual(fits);
    expect(await detailsOf({ ['a'.repeat(65)]: 'x', '': 'x', 'a\nb': 'x', '\udc00': 'x' })).toMatchObject([
      { field: 'a'.repeat(65), code: 'invalid_name', limit: 64 },
      { field: 'body', code: 'invalid_name', limit: 64 },
      { field: 'a\nb', code: 'invalid_name', limit: 64 },
      { field: '\udc00', code: 'malformed_text' },
    ]);
  });

  it('can be one of fifty, not counting missing ones', async () => {
    expect(await extraOf({ ...fieldsOf(50), blank: '', none: null })).toStrictEqual(fieldsOf(50));
    expect(await detailsOf(fieldsOf(51, { no: 'text' }))).toMatchObject([
      { field: 'body', code: 'too_many', limit: 50 },
    ]);
  });

  it('shares 16 KiB of UTF-8 with the other extra fields', async () => {
    // 8 names of 7 bytes, each with 1,000 characters of 2 bytes; one name of 4 bytes, with a list.
    const listOf = (bytes: number) => ['a'.repeat(300), 'a'.repeat(bytes - 300)];
    const eight = fieldsOf(8, 'ä'.repeat(1000));
    const left = 16 * 1024 - 8 * 2007 - 4;
    expect(await extraOf({ ...eight, rest: listOf(left) })).toStrictEqual({ ...eight, rest: listOf(left) });
    expect(await detailsOf({ ...eight, rest: listOf(left + 1), consent: {} })).toStrictEqual([
      { field: 'consent', code: 'not_text', message: expect.any(String) },
      { field: 'body', code: 'too_large', limit: 16_384, message: expect.stringContaining('16384') },
    ]);
  });

  it('has its fault listed with the faults of other fields, and only one for the whole body', async () => {
    const tooLarge = { email: 'nobody', ...fieldsOf(9, 'x'.repeat(2000)), '': 'x' };
    expect(await detailsOf(tooLarge)).toMatchObject([{ field: 'email' }, { field: 'body', code: 'invalid_name' }]);
  });

  it('can have any name, also those of stored attributes', async () => {
    const contacts = await startContacts();
    const names = ['__proto__', 'toString', 'id', 'releasedAt', 'listPartition', 'listSort', 'Email', 'message ', '1'];
    const created = await postMembers(contacts, names.map((name) => `"${name}":"${name} was sent"`).join());
    const fetched = await contacts.get({ pathParameters: { id: idIn(created) } });
    for (const { text } of [created, fetched]) {
      const { extra, ...rest } = JSON.parse(text);
      expect(rest).toStrictEqual({ id: idIn(created), createdAt: '2026-03-01T12:00:00.000Z', ...minimal });
      expect(new Map(Object.entries(extra))).toStrictEqual(new Map(names.map((name) => [name, `${name} was sent`])));
    }
    expect((await contacts.list()).text).toBe(`[${fetched.text}]`);
    expect(logText()).not.toContain('was sent');
  });
});

describe("with extraFields: 'ignore'", () => {
  const ignoring = () => startContacts(undefined, { extraFields: 'ignore' });

  it('drops extra fields, and logs their number, not their names or values', async () => {
    const contacts = await ignoring();
    const extra = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`extra-${at}`, `value-${at}`]));
    const answer = await contacts.post({ ...minimal, ...extra });
    expect(answer.body).toStrictEqual({ id: idIn(answer), createdAt: expect.any(String), ...minimal });
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
    for (const secret of ['email', ...Object.values(minimal)]) expect(logText()).not.toContain(secret);
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
    const contacts = await startContacts(undefined, { traps: ['fax', '_gotcha'] });
    const posted = async (filled: object) => {
      const answer = await contacts.post({ ...minimal, fax: '', _gotcha: '', other: 'kept', ...filled });
      expect(answer.body).toHaveProperty('extra', { other: 'kept' });
      return idIn(answer);
    };
    const marked = [await posted({ fax: 'x' }), await posted({ _gotcha: 'x' })];
    const unmarked = await posted({});
    expect(idsIn(await contacts.list())).toEqual([unmarked]);
    expect(idsIn(await contacts.list({ query: [['spam', 'true']] })).toSorted()).toEqual(marked.toSorted());
  });

  it('counts as filled with a value of 4,900 nested lists', async () => {
    const contacts = await startContacts();
    const answer = await postMembers(contacts, `"_gotcha":${'['.repeat(4_900)}${']'.repeat(4_900)}`);
    expect(idsIn(await contacts.list({ query: [['spam', 'true']] }))).toStrictEqual([idIn(answer)]);
  });
});
