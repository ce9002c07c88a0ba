import { describe, expect, it } from 'vitest';
import { idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

describe('fields that the service does not know', () => {
  it('are counted in the log, and neither their names nor their values reach it', async () => {
    const contacts = await startContacts();
    const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`unknown-${at}`, `value-${at}`]));
    const answer = await contacts.post({ ...minimal, ...unknown });
    expect(answer.body).toStrictEqual({ id: idIn(answer), createdAt: expect.any(String), ...minimal });
    expect(logLines()).toContainEqual(expect.objectContaining({ level: 'info', count: 1000 }));
    expect(logText()).not.toMatch(/unknown-|value-/);
  });

  // What curl makes of `-d '{"email":…}'` without a type: one name that is the whole body.
  it('are not told by name when JSON comes with the type of a form', async () => {
    const contacts = await startContacts();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await contacts.create({ headers, body: JSON.stringify(minimal) })).status).toBe(400);
    expect(logLines()).toContainEqual(expect.objectContaining({ count: 1 }));
    for (const secret of ['email', ...Object.values(minimal)]) expect(logText()).not.toContain(secret);
  });

  it('may have the names of inherited properties', async () => {
    const contacts = await startContacts();
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const body = `{${names.map((name) => `"${name}":"x",`).join('')}${JSON.stringify(minimal).slice(1)}`;
    await contacts.create({ headers: { 'Content-Type': 'application/json' }, body });
    expect(logLines()).toContainEqual(expect.objectContaining({ count: 4 }));
  });

  it('are not logged when there are none', async () => {
    const contacts = await startContacts();
    await contacts.post({ ...minimal, website: '' });
    expect(logText()).not.toContain('unknown');
  });
});

it('takes a honeypot field for filled however deep its value is', async () => {
  const contacts = await startContacts();
  const depth = 4_900;
  const body = `${JSON.stringify(minimal).slice(0, -1)},"website":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const answer = await contacts.create({ headers: { 'Content-Type': 'application/json' }, body });
  expect(answer.status).toBe(201);
  const spam = await contacts.list({ query: [['spam', 'true']] });
  expect(idsIn(spam)).toStrictEqual([idIn(answer)]);
});
