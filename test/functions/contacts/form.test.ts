import { describe, expect, it } from 'vitest';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

describe('fields that the service does not know', () => {
  it('are logged by their names, some of them and of each a part, and never by their values', async () => {
    const contacts = await startContacts();
    const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`unknown-${at}`, `value-${at}`]));
    const answer = await contacts.post({ ...minimal, ['n'.repeat(1000)]: 'value', ...unknown });
    expect(answer.body).toStrictEqual({ id: idIn(answer), createdAt: expect.any(String), ...minimal });
    const names = ['n'.repeat(64), ...Object.keys(unknown).slice(0, 19)];
    expect(logLines()).toContainEqual(expect.objectContaining({ level: 'info', fields: names }));
    expect(logText()).not.toContain('value');
  });

  it('may have the names of inherited properties', async () => {
    const contacts = await startContacts();
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    await contacts.post({ ...minimal, ...Object.fromEntries(names.map((name) => [name, 'x'])) });
    expect(logLines()).toContainEqual(expect.objectContaining({ fields: names }));
  });

  it('are not logged when there are none', async () => {
    const contacts = await startContacts();
    await contacts.post({ ...minimal, website: '' });
    expect(logText()).not.toContain('fields');
  });
});
