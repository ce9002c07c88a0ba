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

test('a contact request is shown at once, as it was answered', async () => {
  const contact = await create({ company: 'Analytical Engines', phone: '555 0100' });
  const answer = await fetchContact(contact.id);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(answer.body).toEqual(contact);
});

test('a deleted contact request is gone for good: 204 without a body, then 404 wherever it is asked for', async () => {
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

test('of twenty simultaneous deletes of one contact request exactly one gives 204', async () => {
  const { id } = await create();
  const answers = await Promise.all(Array.from({ length: 20 }, () => deleteContact(id)));
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  const others = answers.filter(({ status }) => status !== 204);
  for (const answer of others) expectError(answer, 404);
});

test('an id is matched whatever its case', async () => {
  const contact = await create();
  expect((await fetchContact(contact.id.toUpperCase())).body).toEqual(contact);
  expect((await deleteContact(contact.id.toUpperCase())).status).toBe(204);
  expectError(await fetchContact(contact.id), 404);
});

test('an id that nothing has is answered with 404', async () => {
  expectError(await fetchContact(absentId), 404);
  expectError(await deleteContact(absentId), 404);
});

test.for(junkIds)('the id %s names nothing: 404', async (id, context) => {
  if (id.includes('%2F')) requires(context, 'encoded-slash');
  expectError(await sendAsStaff(`${contactPath}/${id}`), 404);
  expectError(await sendAsStaff(`${contactPath}/${id}`, { method: 'DELETE' }), 404);
});

test('a query of no meaning changes nothing', async () => {
  const contact = await create();
  expect((await sendAsStaff(`${contactPath}/${contact.id}?id=${absentId}`)).body).toEqual(contact);
});
