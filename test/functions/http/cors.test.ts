import { expect, it } from 'vitest';
import { minimal, startContacts } from '../../support/contacts.ts';
import { logLines } from '../../support/log.ts';

it.each([
  ['https://evil.example', 'https://evil.example'],
  ['http://localhost:5173', 'http://localhost:5173'],
  ['moz-extension://0f5c', 'moz-extension://0f5c'],
  [`https://${'a'.repeat(200)}.example`, `https://${'a'.repeat(92)}`],
  ['https://ada@evil.example', 'malformed'],
  ['https://evil.example/?email=ada', 'malformed'],
  ['ada@example.com', 'malformed'],
])('refuses the origin %s and logs it as %s', async (origin, logged) => {
  const contacts = await startContacts();
  expect((await contacts.post(minimal, { Origin: origin })).status).toBe(403);
  expect(logLines()).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'origin refused',
      requestId: expect.any(String),
      origin: logged,
    }),
  );
});
