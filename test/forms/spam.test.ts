import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Defences } from '../../functions/spam/defences.ts';
import { siteOrigin, startForms } from '../support/contacts.ts';
import { sectionOf, tablesIn } from '../support/markdown.ts';
import { spamTexts, spamWords } from './spam.ts';

const now = new Date('2026-03-01T12:00:00.000Z');

/** A proof that a page's script found, for the key `k` and eight bits. */
const proofOf = (minute = Math.floor(now.getTime() / 60_000)): string => {
  for (let nonce = 0; ; nonce += 1) {
    const proof = `${minute}.${nonce}`;
    if (createHash('sha256').update(`${siteOrigin} k ${proof}`).digest()[0] === 0) return proof;
  }
};

const proof = proofOf();

/** What a bot sends of the form: a name, an address, a text, a trap. */
const bots: Readonly<Record<string, (message: string) => Readonly<Record<string, string>>>> = {
  'fills in every field': (message) => ({ name: message, email: 'a@spam.example', message, _gotcha: message }),
  'knows the names of fields': (message) => ({ name: 'Mike', email: 'a@spam.example', message }),
  'copies the fields of the form': (message) => ({ name: 'Mike', email: 'a@spam.example', message, _gotcha: '' }),
  'renders the page': (message) => ({
    ...{ name: 'Mike', email: 'a@spam.example', message, _gotcha: '' },
    ...{ _proof: proof, 'idempotency-key': 'k' },
  }),
};

/** The columns of the table in docs/spam.md. */
const defences: readonly Partial<Defences['spam']>[] = [
  {},
  { requireTrap: true },
  { proofBits: 8 },
  { content: { links: 3 } },
  { content: { words: spamWords } },
  { content: { links: 3, words: spamWords } },
];

type Spam = (typeof spamTexts)[number];

/** Which of the texts a defence catches from a bot. */
const caughtBy = async (spam: Partial<Defences['spam']>, fieldsOf: (typeof bots)[string]): Promise<readonly Spam[]> => {
  const { create, stored } = startForms({ spam: { traps: ['_gotcha'], requireTrap: false, ...spam } }, () => now);
  for (const { text } of spamTexts)
    await create({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: siteOrigin },
      body: new URLSearchParams(fieldsOf(text)).toString(),
    });
  expect(stored).toHaveLength(spamTexts.length);
  return spamTexts.filter((_, at) => stored[at]?.spam);
};

const measured = sectionOf(readFileSync('docs/spam.md', 'utf8'), 'What was measured');

it('docs/spam.md says of 200 spam texts how many each defence catches from each bot', async () => {
  expect(spamTexts).toHaveLength(200);
  const rows = await Promise.all(
    Object.entries(bots).map(async ([name, fieldsOf]) => {
      const caught = await Promise.all(defences.map((spam) => caughtBy(spam, fieldsOf)));
      return [name, ...caught.map(({ length }) => String(length))];
    }),
  );
  expect(tablesIn(measured)[0]).toEqual(rows);
});

it('docs/spam.md says how many texts like those that the owner has seen `words` catches, and how many others', async () => {
  const caught = await caughtBy({ content: { words: spamWords } }, (message) => ({ message }));
  const [seen, others] = [true, false].map((isSeen) => caught.filter((spam) => spam.isSeen === isSeen).length);
  expect(measured.replaceAll(/\s+/g, ' ')).toContain(
    `${spamWords.length} words from 100 of the texts caught ${seen} of these, and ${others} of the 100 others`,
  );
});
