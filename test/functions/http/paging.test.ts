import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { cursorOf, encodeCursor } from '../../../functions/http/paging.ts';

const decode = (list: string, cursor: string, form = /^/) => {
  const result = v.safeParse(cursorOf(list, form), cursor);
  return result.success ? result.output : undefined;
};

const sortKey = fc.string({ unit: 'grapheme', minLength: 1 });

it('leads back to the sort key, and can stand in a URL as it is', () => {
  fc.assert(
    fc.property(sortKey, (key) => {
      const cursor = encodeCursor('contacts', key);
      expect(decode('contacts', cursor)).toBe(key);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

it('is no cursor of another list', () => {
  fc.assert(
    fc.property(sortKey, (key) => {
      expect(decode('campaigns', encodeCursor('contacts', key))).toBeUndefined();
    }),
  );
});

it('is refused when a character was changed, added or dropped', () => {
  const digits = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. ');
  fc.assert(
    fc.property(
      sortKey,
      fc.nat(),
      fc.nat({ max: 4 }),
      fc.string({ unit: digits, maxLength: 4 }),
      (key, at, drop, put) => {
        const cursor = encodeCursor('contacts', key);
        const index = at % (cursor.length + 1);
        const changed = cursor.slice(0, index) + put + cursor.slice(index + drop);
        fc.pre(changed !== cursor);
        expect(decode('contacts', changed)).toBeUndefined();
      },
    ),
    { numRuns: 1000 },
  );
});

it('is refused when it is anything else', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
      expect(decode('contacts', text)).toBeUndefined();
    }),
  );
});

it('is refused when its key has not the form of the list, or is longer than a key can be', () => {
  expect(decode('contacts', encodeCursor('contacts', 'a1'), /^[a-z]\d$/)).toBe('a1');
  expect(decode('contacts', encodeCursor('contacts', '1a'), /^[a-z]\d$/)).toBeUndefined();
  expect(decode('contacts', encodeCursor('contacts', 'é'.repeat(512)))).toBe('é'.repeat(512));
  expect(decode('contacts', encodeCursor('contacts', `${'é'.repeat(512)}e`))).toBeUndefined();
});
