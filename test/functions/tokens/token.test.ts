import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { authenticationHeaderPattern, generateToken, hashToken, tokenPrefix } from '../../../functions/tokens/token.ts';

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
