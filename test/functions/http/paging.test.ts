import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { cursorOf, encodeCursor } from '../../../functions/http/paging.ts';

const decode = (list: string, cursor: string, form = /^/) => {
  const result = v.safeParse(cursorOf(list, form), cursor);
  return result.success ? result.output : undefined;
};

const sortKey = fc.string({ unit: 'grapheme', minLength: 1 });

it('leads back to the sort key of its own list alone, and needs no escaping in a URL', () => {
  fc.assert(
    fc.property(sortKey, (key) => {
      const cursor = encodeCursor('contacts', key);
      expect(decode('contacts', cursor)).toBe(key);
      expect(decode('campaigns', cursor)).toBeUndefined();
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

it('is refused if a character is changed, added or dropped', () => {
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
    { numRuns: 300 },
  );
});
