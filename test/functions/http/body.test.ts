import { expect, it } from 'vitest';
import { startForms } from '../../support/contacts.ts';

// The gateway decodes text bodies, so only bodies in base64 can hold such bytes.
it.each([
  ['application/json', '{"email":"ada@example.com","message":"', '"}'],
  ['application/x-www-form-urlencoded', 'email=ada%40example.com&message=', ''],
])('refuses bytes that are not UTF-8 in %s', async (contentType, start, end) => {
  const contacts = startForms();
  const send = (message: Buffer) =>
    contacts.create({
      body: Buffer.concat([Buffer.from(start), message, Buffer.from(end)]),
      headers: { 'Content-Type': contentType },
    });
  expect(await send(Buffer.from('Müller 😀'))).toMatchObject({ status: 201, body: { message: 'Müller 😀' } });
  expect(await send(Buffer.from([0xc3, 0x28]))).toMatchObject({ status: 400, body: { details: [{ field: 'body' }] } });
});

// Over HTTP, the gateway adds a type to a body without one.
it.each([
  ['*/*', /^{"error":/],
  ['text/html', /^<!doctype html>/],
])('refuses a body without a type, in the form that %s asks for', async (accept, start) => {
  const contacts = startForms();
  const { status, text } = await contacts.create({ headers: { Accept: accept }, body: 'message=Hi' });
  expect(status).toBe(415);
  expect(text).toMatch(start);
});
