import { describe, expect, it } from 'vitest';
import { parseExtra } from '../../../functions/contacts/extra.ts';
import { minimal, startContacts, startForms } from '../../support/contacts.ts';
import { parseForm } from '../../support/fields.ts';
import { logLines, logText } from '../../support/log.ts';

describe('an extra field', () => {
  it.each([
    [
      [' a\r\nb\t', 'Ame\u0301lie', '', null],
      ['a\nb', 'Amélie'],
    ],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [['', null], undefined],
  ])('stores %j as %j', async (value, stored) => {
    expect(parseExtra([['consent', value]]).extra).toStrictEqual(stored && { consent: stored });
  });

  it('is refused if JavaScript cannot hold its number', async () => {
    expect(parseExtra([['order', JSON.parse('1e999')]]).errors).toEqual([{ field: 'order', code: 'not_text' }]);
  });

  it('has its error listed with the errors of other fields, and only one for the whole body', async () => {
    const large = Array.from({ length: 9 }, (_, at) => [`field-${at}`, 'x'.repeat(2000)]);
    const { errors } = await parseForm({ email: 'nobody', ...Object.fromEntries(large), '': 'x' });
    expect(errors).toMatchObject([{ field: 'email' }, { field: 'body', code: 'too_large' }]);
  });
});

describe("with extraFields: 'ignore'", () => {
  const extraFields = 'ignore';

  it('drops extra fields, and logs their number, not their names or values', async () => {
    const { post, stored } = startForms({ extraFields });
    const extra = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`extra-${at}`, `value-${at}`]));
    await post({ ...minimal, ...extra });
    expect(stored.map(({ fields }) => fields)).toEqual([minimal]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'fields ignored', count: 400 }),
    );
    expect(logText()).not.toMatch(/extra-|value-/);
  });

  // `curl -d '[…]'` without a type sends one name: the whole body.
  it('logs no names if JSON has the type of a form', async () => {
    const { create } = startForms({ extraFields });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await create({ headers, body: JSON.stringify([minimal]) })).status).toBe(400);
    expect(logLines()).toContainEqual(expect.objectContaining({ count: 1 }));
    for (const secret of Object.values(minimal)) expect(logText()).not.toContain(secret);
  });

  it('logs nothing without extra fields', async () => {
    await startForms({ extraFields }).post({ ...minimal, _gotcha: '', 'idempotency-key': 'k' });
    expect(logText()).not.toContain('ignored');
  });

  it('replays an idempotency key without comparing extra fields', async () => {
    const contacts = await startContacts(undefined, { extraFields });
    const first = await contacts.post({ ...minimal, subject: 'Tea' }, { 'Idempotency-Key': 'k' });
    expect(await contacts.post(minimal, { 'Idempotency-Key': 'k' })).toMatchObject({ status: 201, text: first.text });
  });
});
