import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectFields, parseUrlEncoded } from '../../../functions/http/body.ts';

it('reads whatever is sent as the URL Standard does: empty pairs are none', () => {
  const piece = (...more: string[]) =>
    fc.string({ unit: fc.constantFrom('x', 'y', '=', '&', '+', ' ', '%41', '%26', '%E2%82%AC', '%00', ...more) });
  // Node's own parser, the measure here, misreads a stray percent sign beside raw text beyond ASCII.
  const form = fc.oneof(piece('%', '%2', '%zz'), piece('€', '😀'));
  fc.assert(
    fc.property(form, (text) => {
      expect(parseUrlEncoded(text)).toStrictEqual(collectFields(new URLSearchParams(text)));
    }),
    { numRuns: 300 },
  );
});
