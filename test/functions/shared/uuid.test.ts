import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUuid, uuidFromText } from '../../../functions/shared/uuid.ts';

// Idempotency keys live as long as their contact requests: the ids derived from them must never change.
it.each([
  ['Idempotency-Key:k', '8fda5eb3-6278-8087-ab51-99b110d6ef9d'],
  ['text', '982d9e3e-b996-8559-a633-f4d194def376'],
])('derives from %s always the same UUID', (text, uuid) => {
  expect(uuidFromText(text)).toBe(uuid);
});

describe('parseUuid', () => {
  const uuid = '01234567-89ab-4def-8123-456789abcdef';

  it('accepts every UUID in any case', () => {
    fc.assert(
      fc.property(fc.uuid(), (any) => {
        expect(parseUuid(any)).toBe(any);
        expect(parseUuid(any.toUpperCase())).toBe(any);
      }),
    );
  });

  it.each(['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])('accepts %s', (special) => {
    expect(parseUuid(special)).toBe(special);
  });

  it.each([
    '',
    uuid.slice(1),
    uuid.slice(0, -1),
    `${uuid}0`,
    `0${uuid}`,
    `${uuid}\n`,
    uuid.replaceAll('-', ''),
    uuid.replace('-', '_'),
    uuid.replace('f', 'g'),
    uuid.replace('0', '٠'),
    `{${uuid}}`,
  ])('refuses %j', (text) => {
    expect(parseUuid(text)).toBeUndefined();
  });
});
