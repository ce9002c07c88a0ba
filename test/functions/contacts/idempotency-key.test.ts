import { expect, it } from 'vitest';
import { minimal, startContacts } from '../../support/contacts.ts';

// The limits that cannot be tried over HTTP: a single character is anybody's key, a control character is no header.
it.each([
  ['!', 201],
  ['~', 201],
  [' ', 400],
  ['a\u007f', 400],
  ['k\n', 400],
])('the key %j is answered with %i', async (key, status) => {
  const contacts = await startContacts();
  expect((await contacts.post(minimal, { 'Idempotency-Key': key })).status).toBe(status);
});
