import { expect, it } from 'vitest';
import { idsIn, minimal, startContacts } from '../../support/contacts.ts';

it('stores the same plain form once a minute', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const contacts = await startContacts(() => now);
  const headers = { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' };
  const post = () => contacts.create({ headers, body: String(new URLSearchParams(minimal)) });
  await post();
  now = new Date('2026-03-01T12:00:59.999Z');
  await post();
  expect(idsIn(await contacts.list())).toHaveLength(1);
  now = new Date('2026-03-01T12:01:00.000Z');
  await post();
  expect(idsIn(await contacts.list())).toHaveLength(2);
});
