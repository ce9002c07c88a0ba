import { expect, it } from 'vitest';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';
import { notIds } from '../../support/not-ids.ts';

it('answers a contact request as it was stored', async () => {
  const contacts = await startContacts();
  const created = await contacts.post({ ...minimal, message: 'one\ntwo', lastName: 'Müller 😀' });
  const answer = await contacts.get({ pathParameters: { id: idIn(created) } });
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual(created.body);
  expect(answer.headers).toStrictEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
});

it('finds an id whatever its case', async () => {
  const contacts = await startContacts();
  const created = await contacts.post(minimal);
  const answer = await contacts.get({ pathParameters: { id: idIn(created).toUpperCase() } });
  expect(answer.body).toStrictEqual(created.body);
});

it.each(notIds)('answers Not Found and nothing else for %j', async (id) => {
  const contacts = await startContacts();
  await contacts.post(minimal);
  const answer = await contacts.get({ pathParameters: { id } });
  expect(answer.status).toBe(404);
  expect(answer.text).toBe('{"error":"Not Found"}');
});
