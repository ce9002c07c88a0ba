import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { campaignName } from '../../../functions/campaigns/campaign.ts';

it('is kept trimmed and composed, 1 to 200 characters of well-formed text on one line', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.string({ unit: fc.constantFrom('a', ' ', 'e\u0301', '😀', '\n', '\ud800'), maxLength: 10 }),
    fc.string({ unit: fc.constantFrom('😀', 'e\u0301'), minLength: 195, maxLength: 205, size: 'max' }),
  );
  fc.assert(
    fc.property(text, (given) => {
      const kept = given.trim().normalize('NFC');
      const length = Array.from(kept).length;
      const allowed = length >= 1 && length <= 200 && kept.isWellFormed() && !/\p{Cc}/u.test(kept);
      const result = v.safeParse(campaignName, given);
      expect(result.success).toBe(allowed);
      if (result.success) expect(result.output).toBe(kept);
    }),
    { numRuns: 500 },
  );
});
