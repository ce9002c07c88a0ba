import { expect, it } from 'vitest';
import { idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';

const spamOnly = [['spam', 'true']] as const;

it.each(['https://spam.example', ' x ', 0, 5, true, ['a', 'b'], { a: 1 }])(
  'keeps what filled the trap with %j out of the list, and answers as ever',
  async (website) => {
    const contacts = await startContacts();
    const answer = await contacts.post({ ...minimal, website });
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual({ id: idIn(answer), createdAt: expect.any(String), ...minimal });
    expect(idsIn(await contacts.list())).toStrictEqual([]);
    expect(idsIn(await contacts.list({ query: spamOnly }))).toStrictEqual([idIn(answer)]);
    const stored = await contacts.get({ pathParameters: { id: idIn(answer) } });
    expect(stored.body).toStrictEqual(answer.body);
  },
);

it.each(['', '  ', null, false, ['', ' ']])('takes %j for a trap that is empty', async (website) => {
  const contacts = await startContacts();
  const answer = await contacts.post({ ...minimal, website });
  expect(idsIn(await contacts.list())).toStrictEqual([idIn(answer)]);
  expect(idsIn(await contacts.list({ query: spamOnly }))).toStrictEqual([]);
});

it('refuses mistakes of those in the trap, too', async () => {
  const contacts = await startContacts();
  expect((await contacts.post({ message: 'Hello', website: 'x' })).status).toBe(400);
});

it('deletes what is marked as spam', async () => {
  const contacts = await startContacts();
  const id = idIn(await contacts.post({ ...minimal, website: 'x' }));
  expect((await contacts.delete({ pathParameters: { id } })).status).toBe(204);
  expect(idsIn(await contacts.list({ query: spamOnly }))).toStrictEqual([]);
});
