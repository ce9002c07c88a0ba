import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../functions/http/errors.ts';
import { parseQuery, wholeNumber } from '../../../functions/http/query.ts';
import { anyText } from '../../support/any-text.ts';

const entries = { limit: v.optional(wholeNumber(1, 200), '50'), name: v.optional(v.string()) };

/** The names that are found fault with. */
const faultsIn = (query: ReadonlyMap<string, readonly string[]>): string[] => {
  try {
    parseQuery(query, entries);
    return [];
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    return error.details.map(({ field }) => field);
  }
};

describe('a whole number', () => {
  const isTaken = (text: string) => v.is(wholeNumber(1, 200), text);

  it('is taken exactly within its bounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), (number) => {
        expect(isTaken(String(number))).toBe(number >= 1 && number <= 200);
      }),
    );
  });

  it('is decimal digits and nothing else', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom('1e2', '0x1', ' 1', '1 ', '1_0', '٣')),
        (text) => {
          expect(isTaken(text)).toBe(/^[0-9]{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= 200);
        },
      ),
    );
  });
});

it('reads what is given, and the defaults of what is not', () => {
  expect(parseQuery(new Map([['name', ['x']]]), entries)).toStrictEqual({ limit: 50, name: 'x' });
  expect(parseQuery(new Map([['limit', ['7']]]), entries)).toStrictEqual({ limit: 7 });
});

it('finds fault with every parameter that is unknown, repeated or malformed, and with no other', () => {
  const name = fc.oneof(
    fc.constantFrom('limit', 'name', '__proto__', 'constructor', 'toString', 'valueOf', ''),
    anyText,
  );
  const values = fc.array(fc.constantFrom('7', 'x', ''), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, values)), (pairs) => {
      const query = new Map(pairs);
      const expected = [...query]
        .filter(([given, [value, ...more]]) =>
          given === 'name' ? more.length > 0 : given === 'limit' ? more.length > 0 || value !== '7' : true,
        )
        .map(([given]) => given);
      expect(faultsIn(query).toSorted()).toStrictEqual(expected.toSorted());
    }),
  );
});
