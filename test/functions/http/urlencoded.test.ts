import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectFields, parseUrlEncoded } from '../../../functions/http/body.ts';

it('parses any form as the URL Standard does', () => {
  const piece = (...more: string[]) =>
    fc.string({ unit: fc.constantFrom('x', 'y', '=', '&', '+', ' ', '%41', '%26', '%E2%82%AC', '%00', ...more) });
  // Node's parser, the oracle here, misreads a stray percent sign beside raw non-ASCII text.
  const form = fc.oneof(piece('%', '%2', '%zz'), piece('€', '😀'));
  fc.assert(
    fc.property(form, (text) => {
      expect(parseUrlEncoded(text)).toStrictEqual(collectFields(new URLSearchParams(text)));
    }),
    { numRuns: 300 },
  );
});
