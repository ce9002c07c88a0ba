import { expect, it } from 'vitest';
import { startContacts } from '../../support/contacts.ts';

// A gateway that decodes a body as text leaves no such bytes in it: only one that arrives in base64 has them.
it.each([
  ['application/json', '{"email":"ada@example.com","message":"', '"}'],
  ['application/x-www-form-urlencoded', 'email=ada%40example.com&message=', ''],
])('refuses bytes that are not UTF-8, as %s', async (contentType, start, end) => {
  const contacts = await startContacts();
  const send = (message: Buffer) =>
    contacts.create({
      body: Buffer.concat([Buffer.from(start), message, Buffer.from(end)]),
      headers: { 'Content-Type': contentType },
    });
  expect(await send(Buffer.from('Müller 😀'))).toMatchObject({ status: 201, body: { message: 'Müller 😀' } });
  expect(await send(Buffer.from([0xc3, 0x28]))).toMatchObject({ status: 400, body: { details: [{ field: 'body' }] } });
});

// Over HTTP the gateway gives a type to a body that has none.
it.each([
  ['*/*', /^{"error":/],
  ['text/html', /^<!doctype html>/],
])('refuses a body of no type, for who accepts %s', async (accept, start) => {
  const contacts = await startContacts();
  const { status, text } = await contacts.create({ headers: { Accept: accept }, body: 'message=Hi' });
  expect(status).toBe(415);
  expect(text).toMatch(start);
});
