import { describe, expect, it } from 'vitest';
import { idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

describe('further fields, where they are ignored', () => {
  const ignoring = () => startContacts(undefined, { extraFields: 'ignore' });

  it('are counted in the log, and neither their names nor their values reach it', async () => {
    const contacts = await ignoring();
    const further = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`further-${at}`, `value-${at}`]));
    const answer = await contacts.post({ ...minimal, ...further });
    expect(answer.body).toStrictEqual({ id: idIn(answer), createdAt: expect.any(String), ...minimal });
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'fields ignored', count: 1000 }),
    );
    expect(logText()).not.toMatch(/further-|value-/);
  });

  // What curl makes of `-d '{"email":…}'` without a type: one name that is the whole body.
  it('are not told by name when JSON comes with the type of a form', async () => {
    const contacts = await ignoring();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await contacts.create({ headers, body: JSON.stringify(minimal) })).status).toBe(400);
    expect(logLines()).toContainEqual(expect.objectContaining({ count: 1 }));
    for (const secret of ['email', ...Object.values(minimal)]) expect(logText()).not.toContain(secret);
  });

  it('are not logged when there are none', async () => {
    const contacts = await ignoring();
    await contacts.post({ ...minimal, _gotcha: '', 'idempotency-key': 'k' });
    expect(logText()).not.toContain('ignored');
  });

  it('make no difference to a key', async () => {
    const contacts = await ignoring();
    const first = await contacts.post({ ...minimal, subject: 'Tea' }, { 'Idempotency-Key': 'k' });
    expect(await contacts.post(minimal, { 'Idempotency-Key': 'k' })).toMatchObject({ status: 201, text: first.text });
  });
});

it('takes a honeypot field for filled however deep its value is', async () => {
  const contacts = await startContacts();
  const depth = 4_900;
  const body = `${JSON.stringify(minimal).slice(0, -1)},"_gotcha":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const answer = await contacts.create({ headers: { 'Content-Type': 'application/json' }, body });
  expect(answer.status).toBe(201);
  const spam = await contacts.list({ query: [['spam', 'true']] });
  expect(idsIn(spam)).toStrictEqual([idIn(answer)]);
});
