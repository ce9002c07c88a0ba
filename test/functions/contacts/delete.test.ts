import { expect, it } from 'vitest';
import { idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { notIds } from '../../support/not-ids.ts';

it('deletes for good, and that one only', async () => {
  const contacts = await startContacts();
  const id = idIn(await contacts.post(minimal));
  const other = idIn(await contacts.post(minimal));
  const answer = await contacts.delete({ pathParameters: { id } });
  expect(answer).toStrictEqual({ status: 204, headers: {}, text: '', body: undefined });
  expect((await contacts.get({ pathParameters: { id } })).status).toBe(404);
  expect(idsIn(await contacts.list())).toStrictEqual([other]);
});

it('finds nothing the second time', async () => {
  const contacts = await startContacts();
  const id = idIn(await contacts.post(minimal));
  await contacts.delete({ pathParameters: { id } });
  const again = await contacts.delete({ pathParameters: { id } });
  expect(again.status).toBe(404);
  expect(again.text).toBe('{"error":"Not Found"}');
});

it('finds an id whatever its case', async () => {
  const contacts = await startContacts();
  const id = idIn(await contacts.post(minimal));
  expect((await contacts.delete({ pathParameters: { id: id.toUpperCase() } })).status).toBe(204);
});

it('tells one of twenty at the same moment that it deleted', async () => {
  const contacts = await startContacts();
  const id = idIn(await contacts.post(minimal));
  const answers = await Promise.all(Array.from({ length: 20 }, () => contacts.delete({ pathParameters: { id } })));
  expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([204, ...Array(19).fill(404)]);
});

it.each(notIds)('answers Not Found and nothing else for %j', async (id) => {
  const contacts = await startContacts();
  const answer = await contacts.delete({ pathParameters: { id } });
  expect(answer.status).toBe(404);
  expect(answer.text).toBe('{"error":"Not Found"}');
});
