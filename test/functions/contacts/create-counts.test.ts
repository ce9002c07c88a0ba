import { expect, it } from 'vitest';
import { minimal, siteOrigin, startContacts } from '../../support/contacts.ts';

it('counts what was created, replayed, marked and refused, each by its reason', async () => {
  const contacts = await startContacts();
  const counted = async (body: unknown, headers?: Record<string, string>) => {
    contacts.counts.length = 0;
    await contacts.post(body, headers);
    return [...contacts.counts];
  };
  const spam = { ...minimal, website: 'x' };
  expect(await counted(minimal)).toStrictEqual([['ContactsCreated']]);
  expect(await counted(spam, { 'Idempotency-Key': 'k' })).toStrictEqual([['ContactsCreated'], ['ContactsMarkedSpam']]);
  expect(await counted(spam, { 'Idempotency-Key': 'k' })).toStrictEqual([['ContactsReplayed']]);
  expect(await counted({ ...minimal, company: 'x' }, { 'Idempotency-Key': 'k' })).toStrictEqual([
    ['ContactsRefused', '422'],
  ]);
  expect(await counted({})).toStrictEqual([['ContactsRefused', '400']]);
  expect(await counted(minimal, { Origin: 'https://evil.example' })).toStrictEqual([['ContactsRefused', '403']]);
  expect(await counted(minimal, { Origin: siteOrigin })).toStrictEqual([['ContactsCreated']]);
  expect(await counted(minimal, { 'Content-Type': 'text/plain' })).toStrictEqual([['ContactsRefused', '415']]);
});
