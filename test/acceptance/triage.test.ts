import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import {
  absentId,
  contactPath,
  create,
  deleteContact,
  fetchContact,
  listPage,
  listSince,
  post,
  sendAsStaff,
  storedIn,
  visitor,
} from './client.ts';
import { type Contact, contactSchema } from './contact.ts';
import { expectError } from './expect-error.ts';
import { junkIds } from './junk-ids.ts';
import { requires, target } from './target.ts';

const patch = (id: string, change: unknown) =>
  sendAsStaff(`${contactPath}/${id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  });

/** Expects 200 with the contact request, as it is stored then. */
const changed = async (id: string, change: unknown): Promise<Contact> => {
  const response = await patch(id, change);
  expect(response.status, response.text).toBe(200);
  expect((await fetchContact(id)).body).toEqual(response.body);
  return v.parse(contactSchema, response.body);
};

const createSpam = async () => storedIn(await post(visitor({ _gotcha: 'spam' })));

const idsSince = async (contact: Contact, filter?: string) => (await listSince(contact, filter)).map(({ id }) => id);

beforeEach((context) => requires(context, 'triage'));

test('marks a contact request as spam, and brings it back to its place as it was', async () => {
  const older = await create();
  const contact = await create();
  const newer = await create();
  const marked = await changed(contact.id.toUpperCase(), { spam: true });
  expect(marked).toEqual({ ...contact, spamReason: 'staff' });
  await expect.poll(() => idsSince(older, '&spam=true')).toContain(contact.id);
  expect(await changed(contact.id, { spam: false })).toEqual(contact);
  const ids = [newer, contact, older].map(({ id }) => id);
  await expect.poll(async () => (await idsSince(older)).filter((id) => ids.includes(id))).toEqual(ids);
  expect(await idsSince(older, '&spam=true')).not.toContain(contact.id);
});

test('releases what a defence caught: it enters the list now, and a repeat changes nothing', async () => {
  const contact = await createSpam();
  const newer = await create();
  const released = await changed(contact.id, { spam: false });
  expect(released).toEqual({ ...contact, releasedAt: expect.any(String) });
  expect(String(released.releasedAt) > newer.createdAt).toBe(true);
  expect(await changed(contact.id, { spam: false })).toEqual(released);
});

test('notes who answered and when, once, and takes it back', async () => {
  const contact = await create();
  const answered = await changed(contact.id, { answered: true });
  expect(answered).toEqual({ ...contact, answeredAt: expect.any(String), answeredBy: expect.stringMatching(/\S/) });
  expect(await changed(contact.id, { answered: true })).toEqual(answered);
  expect(await changed(contact.id, { answered: false })).toEqual(contact);
});

test('selects the list by what is answered', async () => {
  const one = await create();
  const other = await create();
  await changed(other.id, { answered: true });
  const ids = [one.id, other.id];
  const selected = async (answered: boolean) =>
    (await idsSince(one, `&answered=${answered}`)).filter((id) => ids.includes(id));
  await expect.poll(() => selected(true)).toEqual([other.id]);
  await expect.poll(() => selected(false)).toEqual([one.id]);
  expectError(await sendAsStaff(`${contactPath}?answered=yes`), 400, ['answered']);
});

test.for([
  [{}, ['body']],
  [[], ['body']],
  [{ spam: 'true', done: true }, ['done', 'spam']],
] as const)('responds with 400 to %j', async ([change, fields]) => {
  const { id } = await create();
  expectError(await patch(id, change), 400, fields);
});

test('responds with 404 to an unknown id, and to a deleted one, which stays deleted', async () => {
  expectError(await patch(absentId, { answered: true }), 404);
  const { id } = await create();
  await deleteContact(id);
  expectError(await patch(id, { answered: true, spam: true }), 404);
  expectError(await fetchContact(id), 404);
});

test.for(junkIds)('responds with 404 to the id %s', async (id, context) => {
  if (id.includes('%2F')) requires(context, 'encoded-slash');
  expectError(await patch(id, { answered: true }), 404);
});

test('of twenty simultaneous changes with a delete, none brings the contact request back', async () => {
  const contact = await createSpam();
  const changes = [{ spam: true }, { spam: false }, { answered: true }, { answered: false }];
  const responses = await Promise.all([
    ...Array.from({ length: 20 }, (_, at) => patch(contact.id, changes[at % changes.length])),
    deleteContact(contact.id),
  ]);
  for (const { status } of responses.slice(0, -1)) expect([200, 404]).toContain(status);
  expect(responses.at(-1)?.status).toBe(204);
  expectError(await fetchContact(contact.id), 404);
});

test('shows nothing of it to whoever sends the same again with its key', async () => {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const fields = visitor({ _gotcha: 'spam' });
  const contact = storedIn(await post(fields, headers));
  await changed(contact.id, { spam: false, answered: true });
  expect(storedIn(await post(fields, headers))).toEqual(contact);
});

test('without a permission to write, a token changes nothing', async ({ skip }) => {
  const token = target.limitedTokens['contacts:read'] ?? skip('LIMITED_TOKENS has none for contacts:read');
  const contact = await create();
  const response = await sendAsStaff(`${contactPath}/${contact.id}`, {
    method: 'PATCH',
    headers: { Authentication: token },
    body: '{"answered":true}',
  });
  expect(response.status).toBe(403);
  expect((await listPage('?limit=1&answered=false')).items).toHaveLength(1);
  expect((await fetchContact(contact.id)).body).toEqual(contact);
});
