import { expect, it } from 'vitest';
import { getContact } from '../../../functions/contacts/by-id.ts';
import { callerOf } from '../../support/call.ts';
import { idIn, inboxOrigins, minimal, startContacts, startForms } from '../../support/contacts.ts';
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
  expect((await startForms().post(minimal, { Origin: origin })).status).toBe(403);
  expect(logLines()).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'origin refused',
      requestId: expect.any(String),
      origin: logged,
    }),
  );
});

it('without inboxOrigins, responses to staff have no headers for pages', async () => {
  const { store, post } = await startContacts();
  const get = callerOf('GET /api/v1/contact/{id}', getContact({ store, now: () => new Date('2026-03-01T12:00:00Z') }));
  const id = idIn(await post(minimal));
  const response = await get({ headers: { Origin: inboxOrigins[0] }, pathParameters: { id } });
  expect(response.status).toBe(200);
  expect(Object.keys(response.headers).join()).not.toMatch(/Vary|Access-Control/);
});
