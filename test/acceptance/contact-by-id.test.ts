import { expect, test } from 'vitest';
import {
  absentId,
  contactPath,
  create,
  deleteContact,
  fetchContact,
  listOnceItHolds,
  listSince,
  sendAsStaff,
} from './client.ts';
import { expectError } from './expect-error.ts';
import { junkIds } from './junk-ids.ts';
import { requires } from './target.ts';

test('finds a new contact request at once', async () => {
  const contact = await create({ company: 'Analytical Engines', phone: '555 0100' });
  const answer = await fetchContact(contact.id);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(answer.body).toEqual(contact);
});

test('deletes a contact request with 204 and no body; then it is 404 and missing from the list', async () => {
  const [older, contact] = [await create(), await create()];
  await listOnceItHolds(older, [older, contact]);

  const answer = await deleteContact(contact.id);
  expect(answer.status).toBe(204);
  expect(answer.text).toBe('');

  expectError(await deleteContact(contact.id), 404);
  expectError(await fetchContact(contact.id), 404);
  await expect.poll(async () => (await listSince(older)).map(({ id }) => id)).not.toContain(contact.id);
  expect((await fetchContact(older.id)).body).toEqual(older);
});

test('responds with 204 to one of twenty simultaneous deletes, and 404 to the others', async () => {
  const { id } = await create();
  const answers = await Promise.all(Array.from({ length: 20 }, () => deleteContact(id)));
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  const others = answers.filter(({ status }) => status !== 204);
  for (const answer of others) expectError(answer, 404);
});

test('accepts an id in any case', async () => {
  const contact = await create();
  expect((await fetchContact(contact.id.toUpperCase())).body).toEqual(contact);
  expect((await deleteContact(contact.id.toUpperCase())).status).toBe(204);
  expectError(await fetchContact(contact.id), 404);
});

test('responds with 404 to an unknown id', async () => {
  expectError(await fetchContact(absentId), 404);
  expectError(await deleteContact(absentId), 404);
});

test.for(junkIds)('responds with 404 to the id %s', async (id, context) => {
  if (id.includes('%2F')) requires(context, 'encoded-slash');
  expectError(await sendAsStaff(`${contactPath}/${id}`), 404);
  expectError(await sendAsStaff(`${contactPath}/${id}`, { method: 'DELETE' }), 404);
});
