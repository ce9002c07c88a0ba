import { describe, expect, test } from 'vitest';
import { absentId, campaignsPath, contactPath, create, fetchContact, send } from './client.ts';
import { expectError } from './expect-error.ts';
import { permissions } from './settings.ts';
import { requires, target } from './target.ts';

const { staffToken } = target;

/** A token of the right form that nobody issued. */
const unknownToken = staffToken.replace(/.{20}$/, (end) => [...end].reverse().join(''));

const possibleEndpoints = [
  { method: 'GET', path: contactPath, permission: 'contacts:read' },
  { method: 'GET', path: `${contactPath}/${absentId}`, permission: 'contacts:read' },
  { method: 'DELETE', path: `${contactPath}/${absentId}`, permission: 'contacts:delete' },
  { method: 'PATCH', path: `${contactPath}/${absentId}`, permission: 'contacts:write', body: '{"answered":false}' },
  { method: 'GET', path: campaignsPath, permission: 'campaigns:read' },
  { method: 'GET', path: `${campaignsPath}/${absentId}`, permission: 'campaigns:read' },
] as const;

const staffEndpoints = possibleEndpoints.filter(({ method }) => method !== 'PATCH' || !target.lacks.includes('triage'));

describe.for(staffEndpoints)('$method $path', ({ method, path }) => {
  test.for([
    ['no token', {}],
    ['an unknown token', { Authentication: unknownToken }],
  ] as const)('responds with 401 to %s, even if the id is unknown', async ([, headers], context) => {
    const response = await send(path, { method, headers });
    expect(response.status).toBe(401);
    requires(context, 'gateway-responses');
    expect(expectError(response, 401, ['Authentication'])).toEqual(['invalid_token']);
  });
});

test.for<[string, Readonly<Record<string, string>>]>([
  ['an empty header', { Authentication: '' }],
  ['a token in the header Authorization', { Authorization: staffToken }],
  ['an unknown token after Bearer', { Authentication: `Bearer ${unknownToken}` }],
  ['a malformed token', { Authentication: 'secret' }],
  ['a token without its last character', { Authentication: staffToken.slice(0, -1) }],
  ['a token with another character', { Authentication: `${staffToken}x` }],
  ['two tokens', { Authentication: `${staffToken}, ${staffToken}` }],
  ['a token after another scheme', { Authentication: `Basic ${staffToken}` }],
  ['a token in upper case', { Authentication: staffToken.toUpperCase() }],
  ['a token of 4,000 characters', { Authentication: `Bearer ${'x'.repeat(4000)}` }],
])('responds with 401 to %s', async ([, headers]) => {
  expect((await send(campaignsPath, { headers })).status).toBe(401);
});

test.for(['', 'Bearer ', 'bearer ', 'BEARER '])('accepts a token after "%s"', async (scheme) => {
  for (const { path, permission: _, ...init } of staffEndpoints) {
    const { status } = await send(path, { ...init, headers: { Authentication: scheme + staffToken } });
    expect(status).toBe(path.endsWith(absentId) ? 404 : 200);
  }
});

test('accepts the name of the header in any case', async () => {
  expect((await send(campaignsPath, { headers: { AUTHENTICATION: staffToken } })).status).toBe(200);
});

test.for(permissions)(
  'responds with 403 to a token with only %s at all other endpoints',
  async (permission, context) => {
    requires(context, 'gateway-responses');
    const token = target.limitedTokens[permission];
    if (token === undefined) return context.skip(`LIMITED_TOKENS has none for ${permission}`);
    const contact = await create();
    for (const endpoint of staffEndpoints) {
      const { path, permission: _, ...init } = endpoint;
      const headers = { Authentication: token };
      const response = await send(path.replace(absentId, contact.id), { ...init, headers });
      if (endpoint.permission === permission) expect(response.status).not.toBe(403);
      else expectError(response, 403);
    }
    expect((await fetchContact(contact.id)).status).toBe(permission === 'contacts:delete' ? 404 : 200);
  },
);

test('the public endpoint ignores tokens', async () => {
  const headers = { Authentication: 'secret', 'Content-Type': 'application/json' };
  expectError(await send(contactPath, { method: 'POST', headers, body: '{}' }), 400, ['email', 'message']);
});
