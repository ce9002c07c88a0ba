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
  const response = await fetchContact(contact.id);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(response.body).toEqual(contact);
});

test('deletes a contact request with 204 and no body; then it is 404 and missing from the list', async () => {
  const older = await create();
  const contact = await create();
  await listOnceItHolds(older, [older, contact]);

  const response = await deleteContact(contact.id);
  expect(response.status).toBe(204);
  expect(response.text).toBe('');

  expectError(await deleteContact(contact.id), 404);
  expectError(await fetchContact(contact.id), 404);
  await expect.poll(async () => (await listSince(older)).map(({ id }) => id)).not.toContain(contact.id);
  expect((await fetchContact(older.id)).body).toEqual(older);
});

test('responds with 204 to one of twenty simultaneous deletes, and 404 to the others', async () => {
  const { id } = await create();
  const responses = await Promise.all(Array.from({ length: 20 }, () => deleteContact(id)));
  expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
  const others = responses.filter(({ status }) => status !== 204);
  for (const response of others) expectError(response, 404);
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
