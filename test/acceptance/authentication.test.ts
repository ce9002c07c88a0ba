import { describe, expect, test } from 'vitest';
import { absentId, campaignsPath, contactPath, create, fetchContact, send } from './client.ts';
import { expectError } from './expect-error.ts';
import { permissions } from './settings.ts';
import { requires, target } from './target.ts';

const { staffToken } = target;

/** A token of the right form that nobody issued. */
const unknownToken = staffToken.replace(/.{20}$/, (end) => [...end].reverse().join(''));

const staffEndpoints = [
  { method: 'GET', path: contactPath, permission: 'contacts:read' },
  { method: 'GET', path: `${contactPath}/${absentId}`, permission: 'contacts:read' },
  { method: 'DELETE', path: `${contactPath}/${absentId}`, permission: 'contacts:delete' },
  { method: 'GET', path: campaignsPath, permission: 'campaigns:read' },
  { method: 'GET', path: `${campaignsPath}/${absentId}`, permission: 'campaigns:read' },
] as const;

const badCredentials: readonly [what: string, headers: Readonly<Record<string, string>>][] = [
  ['no token', {}],
  ['an empty header', { Authentication: '' }],
  ['a token in the header Authorization', { Authorization: staffToken }],
  ['an unknown token', { Authentication: unknownToken }],
  ['an unknown token behind Bearer', { Authentication: `Bearer ${unknownToken}` }],
  ['a malformed token', { Authentication: 'secret' }],
  ['a token cut short', { Authentication: staffToken.slice(0, -1) }],
  ['a token with something behind it', { Authentication: `${staffToken}x` }],
  ['two tokens in one', { Authentication: `${staffToken}, ${staffToken}` }],
  ['a token behind another scheme', { Authentication: `Basic ${staffToken}` }],
  ['a token in the wrong case', { Authentication: staffToken.toUpperCase() }],
  ['a huge token', { Authentication: `Bearer ${'x'.repeat(4000)}` }],
];

describe.for(staffEndpoints)('$method $path', ({ method, path }) => {
  test.for(badCredentials)('with %s is answered with 401', async ([, headers]) => {
    expect((await send(path, { method, headers })).status).toBe(401);
  });

  test('does not tell who has no token whether it exists', async (context) => {
    requires(context, 'gateway-responses');
    expectError(await send(path, { method }), 401);
    expectError(await send(path, { method, headers: { Authentication: unknownToken } }), 401);
  });
});

test.for(['', 'Bearer ', 'bearer ', 'BEARER '])('a token works behind "%s"', async (scheme) => {
  for (const { method, path } of staffEndpoints) {
    const { status } = await send(path, { method, headers: { Authentication: scheme + staffToken } });
    expect(status).toBe(path.endsWith(absentId) ? 404 : 200);
  }
});

test("the header's name is matched whatever its case", async () => {
  expect((await send(campaignsPath, { headers: { AUTHENTICATION: staffToken } })).status).toBe(200);
});

test.for(permissions)('a token that may only %s is refused with 403 everywhere else', async (permission, context) => {
  requires(context, 'gateway-responses');
  const token = target.limitedTokens[permission];
  if (token === undefined) return context.skip(`LIMITED_TOKENS has none for ${permission}`);
  const contact = await create();
  for (const endpoint of staffEndpoints) {
    const answer = await send(endpoint.path.replace(absentId, contact.id), {
      method: endpoint.method,
      headers: { Authentication: token },
    });
    if (endpoint.permission === permission) expect(answer.status).not.toBe(403);
    else expectError(answer, 403);
  }
  expect((await fetchContact(contact.id)).status).toBe(permission === 'contacts:delete' ? 404 : 200);
});

test('the public endpoint needs no token, and minds none', async () => {
  const contact = await create();
  expect((await fetchContact(contact.id)).body).toEqual(contact);
  const answer = await send(contactPath, {
    method: 'POST',
    headers: { Authentication: 'secret', 'Content-Type': 'application/json' },
    body: '{}',
  });
  expectError(answer, 400, ['email', 'message']);
});
