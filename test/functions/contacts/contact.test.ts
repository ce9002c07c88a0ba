import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
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

it('does not normalise a text that cannot fit', async () => {
  const contacts = await startContacts();
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const sent = { ...minimal, company: '\u1f82'.repeat(1601), message: 'x\u0301'.repeat(20_001) };
  const answer = await contacts.post(sent);
  expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'company' }, { field: 'message' }] } });
  expect(normalize.mock.contexts.map(String)).toStrictEqual([minimal.email]);
});

it('takes a text that fits once it is normalised, however long it is before', async () => {
  const contacts = await startContacts();
  // One character of four; line breaks of two.
  const sent = { ...minimal, company: '\u03b1\u0313\u0300\u0345'.repeat(200), message: `${'a\r\n'.repeat(2499)}bc` };
  expect(await contacts.post(sent)).toMatchObject({
    status: 201,
    body: { company: '\u1f82'.repeat(200), message: `${'a\n'.repeat(2499)}bc` },
  });
});

it('takes a text that fits once it is trimmed, however many blanks it has', async () => {
  const contacts = await startContacts();
  const blanks = ' '.repeat(20_000);
  const sent = { ...minimal, company: `${blanks}Analytical Engines${blanks}` };
  expect(await contacts.post(sent)).toMatchObject({ status: 201, body: { company: 'Analytical Engines' } });
});
