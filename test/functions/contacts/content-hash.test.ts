import { expect, it } from 'vitest';
import { fieldNames } from '../../../functions/contacts/contact.ts';
import { contentHash } from '../../../functions/contacts/idempotency.ts';
import { minimal, startContacts } from '../../support/contacts.ts';

const keyed = { 'Idempotency-Key': 'k' };
const trap = { _gotcha: 'https://spam.example' };

it('is the same whatever the order of the fields', () => {
  const { email, message } = minimal;
  expect(contentHash({ message, email })).toBe(contentHash({ email, message }));
});

it.each([
  ['a person, then a bot', {}, trap],
  ['a bot, then a person', trap, {}],
])('tells nobody of the trap: %s', async (_, first, second) => {
  const contacts = await startContacts();
  const one = await contacts.post({ ...minimal, ...first }, keyed);
  const other = await contacts.post({ ...minimal, ...second }, keyed);
  expect(other).toMatchObject({ status: 201, text: one.text, headers: { 'Idempotent-Replayed': 'true' } });
});

it('tells contents apart by every field', async () => {
  const contacts = await startContacts();
  const first = await contacts.post(minimal, keyed);
  const again = await contacts.post(minimal, keyed);
  expect(again).toMatchObject({ status: 201, text: first.text, headers: { 'Idempotent-Replayed': 'true' } });
  for (const other of [{ message: 'Hello!' }, { subject: 'Tea' }]) {
    expect((await contacts.post({ ...minimal, ...other }, keyed)).status).toBe(422);
  }
  for (const name of fieldNames.filter((field) => !(field in minimal))) {
    expect((await contacts.post({ ...minimal, [name]: '12345' }, keyed)).status, name).toBe(422);
  }
});

it('is that of further fields, too, whatever their order', async () => {
  const contacts = await startContacts();
  const first = await contacts.post({ ...minimal, topic: 'Tea', tags: ['a', 'b'] }, keyed);
  const again = await contacts.post({ tags: ['a', 'b'], topic: 'Tea', ...minimal }, keyed);
  expect(again).toMatchObject({ status: 201, text: first.text, headers: { 'Idempotent-Replayed': 'true' } });
  expect((await contacts.post({ ...minimal, topic: 'Tea', tags: ['b', 'a'] }, keyed)).status).toBe(422);
});
