import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUuid, uuidFromText } from '../../../functions/shared/uuid.ts';

describe('uuidFromText', () => {
  it('makes a UUID of version 8 and of the variant of RFC 9562, the same for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const uuid = uuidFromText(text);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(uuidFromText(text)).toBe(uuid);
        expect(parseUuid(uuid)).toBe(uuid);
      }),
    );
  });

  it('keeps the other 122 bits of the hash', () => {
    const hash = createHash('sha256').update('text').digest('hex').slice(0, 32);
    const bits = (hex: string) => BigInt(`0x${hex.replaceAll('-', '')}`) & ~0xf000_c000_0000_0000_0000n;
    expect(bits(uuidFromText('text'))).toBe(bits(hash));
  });

  // Idempotency keys live as long as what they created: the ids made of them may never change.
  it('gives a text the UUID that it always had', () => {
    expect(uuidFromText('Idempotency-Key:k')).toBe('8fda5eb3-6278-8087-ab51-99b110d6ef9d');
  });
});

describe('parseUuid', () => {
  it('takes every UUID, whatever its case', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.func(fc.boolean()), (uuid, isUpper) => {
        const mixed = Array.from(uuid, (digit) => (isUpper(digit) ? digit.toUpperCase() : digit)).join('');
        expect(parseUuid(mixed)).toBe(uuid);
      }),
    );
  });

  it.each(['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])('takes %s', (uuid) => {
    expect(parseUuid(uuid)).toBe(uuid);
  });

  it('takes nothing else', () => {
    const uuid = '01234567-89ab-4def-8123-456789abcdef';
    const change = fc.tuple(fc.nat({ max: 36 }), fc.nat({ max: 2 }), fc.string({ unit: 'binary', maxLength: 2 }));
    fc.assert(
      fc.property(change, ([at, drop, put]) => {
        const text = uuid.slice(0, at) + put + uuid.slice(at + drop);
        const digits = /^[0-9a-fA-F]$/;
        const isUuid =
          text.length === 36 &&
          Array.from(text).every((letter, index) =>
            [8, 13, 18, 23].includes(index) ? letter === '-' : digits.test(letter),
          );
        expect(parseUuid(text)).toBe(isUuid ? text.toLowerCase() : undefined);
      }),
      { numRuns: 500 },
    );
  });
});
