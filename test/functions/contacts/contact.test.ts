import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';

it('stores a company exactly when the contract allows it, as the contract says', async () => {
  const contacts = await startContacts();
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: 'grapheme', minLength: 95, maxLength: 210 }),
    fc.string({ unit: fc.constantFrom('a', ' ', 'e\u0301', '\ufeff', '\u0000', '\n', '\u200b', '😀') }),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (sent) => {
      const kept = sent.trim().normalize('NFC');
      const answer = await contacts.post({ ...minimal, company: sent });
      const allowed = Array.from(kept).length <= 200 && !/\p{Cc}/u.test(kept);
      expect(answer.status).toBe(allowed ? 201 : 400);
      if (!allowed) return;
      expect(answer.body).toStrictEqual({
        id: idIn(answer),
        createdAt: expect.any(String),
        ...minimal,
        ...(kept !== '' && { company: kept }),
      });
    }),
    { numRuns: 150 },
  );
});
