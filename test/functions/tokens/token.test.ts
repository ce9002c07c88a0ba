import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  authenticationHeaderPattern,
  generateToken,
  hashToken,
  isExpired,
  tokenPrefix,
} from '../../../functions/tokens/token.ts';

it('is 256 random bits behind the prefix, and matches the header pattern', () => {
  const tokens = Array.from({ length: 100 }, generateToken);
  expect(new Set(tokens)).toHaveLength(100);
  for (const token of tokens) {
    expect(token.startsWith(tokenPrefix)).toBe(true);
    expect(Buffer.from(token.slice(tokenPrefix.length), 'base64url')).toHaveLength(32);
    expect(new RegExp(authenticationHeaderPattern).exec(token)?.[1]).toBe(token);
  }
});

it('is stored as its SHA-256', () => {
  const token = generateToken();
  expect(hashToken(token)).toBe(createHash('sha256').update(token).digest('hex'));
});

it.each([
  ['is valid before its expiry', '2026-03-01T12:00:00.000Z', '2026-03-01T11:59:59.999Z', false],
  ['is invalid at its expiry', '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z', true],
  ['is invalid after its expiry', '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.001Z', true],
  ['is invalid if its expiry is not a time', 'never', '2026-03-01T12:00:00.000Z', true],
])('%s', (_, expiresAt, now, expired) => {
  const record = { tokenHash: '', name: '', permissions: [], createdAt: '' };
  expect(isExpired({ ...record, expiresAt }, new Date(now))).toBe(expired);
  expect(isExpired(record, new Date(now))).toBe(false);
});
