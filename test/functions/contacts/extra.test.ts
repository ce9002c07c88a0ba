import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/call.ts';
import { type ContactsService, idIn, minimal, startContacts } from '../../support/contacts.ts';
import { logText } from '../../support/log.ts';
import { client } from '../../support/tables.ts';

const postText = (contacts: ContactsService, body: string): Promise<Answer> =>
  contacts.create({ headers: { 'Content-Type': 'application/json' }, body });

/** The least that a contact request holds, with members of JSON that no object literal can have. */
const withMembers = (members: string) => `${JSON.stringify(minimal).slice(0, -1)},${members}}`;

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

describe('a further field', () => {
  it.each([
    [' Tea\r\nand cake\t', 'Tea\nand cake'],
    ['Ame\u0301lie', 'Amélie'],
    [1.5, '1.5'],
    [0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [true, 'true'],
    [false, 'false'],
    [
      ['a', ' b ', 3, true],
      ['a', 'b', '3', 'true'],
    ],
    [['a', '', null, ' '], ['a']],
    [Array(200).fill('a'), Array(200).fill('a')],
    ['😀'.repeat(2000), '😀'.repeat(2000)],
  ])('whose value is %j is kept as text', async (value, kept) => {
    expect(await extraOf({ consent: value })).toStrictEqual({ consent: kept });
  });

  it.each([[''], ['  '], [null], [[]], [['', null]]])('whose value is %j counts as absent', async (value) => {
    expect(await extraOf({ consent: value, '': value })).toBeUndefined();
  });

  it.each([
    [{ a: 'b' }, 'not_text'],
    [[['a']], 'not_text'],
    [[{}], 'not_text'],
    [2 ** 53, 'not_text'],
    ['bell \u0007', 'control_character'],
    [['a', 'bell \u0007'], 'control_character'],
    ['\ud800', 'malformed_text'],
  ])('whose value is %j is refused by its name', async (value, code) => {
    expect(await detailsOf({ consent: value, subject: 'Tea' })).toStrictEqual([
      { field: 'consent', code, message: expect.any(String) },
    ]);
  });

  it('is refused with its limit when it is too long', async () => {
    expect(await detailsOf({ consent: 'a'.repeat(2001) })).toStrictEqual([
      { field: 'consent', code: 'too_long', limit: 2000, message: 'Keep this to 2000 characters at most.' },
    ]);
  });

  it('is refused when JavaScript cannot hold its number', async () => {
    const { status, body } = await postText(await startContacts(), withMembers('"order":1e999'));
    expect({ status, body }).toMatchObject({ status: 400, body: { details: [{ field: 'order', code: 'not_text' }] } });
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

  it('may be one of fifty that are given', async () => {
    expect(await extraOf({ ...fieldsOf(50), blank: '', none: null })).toStrictEqual(fieldsOf(50));
    expect(await detailsOf(fieldsOf(51, { no: 'text' }))).toMatchObject([
      { field: 'body', code: 'too_many', limit: 50 },
    ]);
  });

  it('may be one of 16 KiB together, in bytes of UTF-8', async () => {
    // 8 names of 7 bytes, each with 1,000 characters of 2 bytes; one name of 4 bytes, with a list.
    const listOf = (bytes: number) => ['a'.repeat(300), 'a'.repeat(bytes - 300)];
    const eight = fieldsOf(8, 'ä'.repeat(1000));
    const left = 16 * 1024 - 8 * 2007 - 4;
    expect(await extraOf({ ...eight, rest: listOf(left) })).toStrictEqual({ ...eight, rest: listOf(left) });
    expect(await detailsOf({ ...eight, rest: listOf(left + 1) })).toStrictEqual([
      { field: 'body', code: 'too_large', limit: 16_384, message: expect.stringContaining('16384') },
    ]);
    expect(await detailsOf({ ...eight, rest: listOf(left + 1), consent: {} })).toMatchObject([
      { field: 'consent', code: 'not_text' },
      { field: 'body', code: 'too_large' },
    ]);
  });

  it('is not told of twice as the body', async () => {
    const tooLarge = { ...fieldsOf(9, 'x'.repeat(2000)), '': 'x' };
    expect(await detailsOf(tooLarge)).toMatchObject([{ field: 'body', code: 'invalid_name' }]);
  });

  it('is named together with the other faults', async () => {
    expect(await detailsOf({ email: 'nobody', consent: {} })).toMatchObject([{ field: 'email' }, { field: 'consent' }]);
  });
});

it('keeps every name of a field, and none is the service’s own', async () => {
  const contacts = await startContacts();
  const answered = ['__proto__', 'constructor', 'toString', 'id', 'createdAt', 'site', 'extra', 'releasedAt'];
  const stored = ['expiresAt', 'listPartition', 'listSort', 'Email', 'message ', '2', '1'];
  const names = [...answered, ...stored];
  const created = await postText(contacts, withMembers(names.map((name) => `"${name}":"${name} was sent"`).join()));
  expect(created.status).toBe(201);
  const id = idIn(created);
  const fetched = await contacts.get({ pathParameters: { id } });
  for (const { text } of [created, fetched]) {
    const { extra, ...rest } = JSON.parse(text);
    expect(rest).toStrictEqual({ id, createdAt: '2026-03-01T12:00:00.000Z', ...minimal });
    expect(new Map(Object.entries(extra))).toStrictEqual(new Map(names.map((name) => [name, `${name} was sent`])));
  }
  expect((await contacts.list()).text).toBe(`[${fetched.text}]`);
  expect(logText()).not.toContain('was sent');
});

it('is one attribute of the item', async () => {
  const contacts = await startContacts();
  const id = idIn(await contacts.post({ ...minimal, subject: 'Tea', topics: ['a', 'b'] }));
  const { Item: item } = await client.send(new GetCommand({ TableName: contacts.table, Key: { id } }));
  expect(item?.['extra']).toBe('{"subject":"Tea","topics":["a","b"]}');
});

it('is part of what a key stands for, in whatever order it is sent', async () => {
  const contacts = await startContacts();
  const keyed = { 'Idempotency-Key': 'k' };
  const first = await contacts.post({ ...minimal, subject: 'Tea', consent: 'yes' }, keyed);
  const again = await contacts.post({ consent: 'yes', subject: 'Tea', ...minimal }, keyed);
  expect(again).toMatchObject({ status: 201, headers: { 'Idempotent-Replayed': 'true' } });
  expect(again.body).toStrictEqual(first.body);
  expect((await contacts.post({ ...minimal, subject: 'Cake', consent: 'yes' }, keyed)).status).toBe(422);
  expect((await contacts.post(minimal, keyed)).status).toBe(422);
});
