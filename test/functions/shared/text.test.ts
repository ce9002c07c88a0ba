import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../functions/shared/text.ts';

const joiner = '\u034f';
const marks = (count: number) => '\u0301\u0323'.repeat(count / 2);

describe('a stored text', () => {
  it('keeps up to 30 combining marks in a row as they are', () => {
    expect(cleanText(`x${marks(30)}y`)).toBe(`x${'\u0323'.repeat(15)}${'\u0301'.repeat(15)}y`);
  });

  it('breaks up longer rows, once', () => {
    const kept = cleanText(`x${marks(64)}y${marks(2)}`);
    expect(kept.split(joiner).map((piece) => piece.length)).toStrictEqual([31, 30, 6]);
    expect(cleanText(kept)).toBe(kept);
    expect(kept.replaceAll(joiner, '')).toHaveLength(67);
  });

  it('has no long row of combining marks, and loses no mark', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', '\u0301', '\u0323', joiner, '\u20dd', '\ufe0f', '\uff9e'),
      maxLength: 200,
    });
    fc.assert(
      fc.property(texts, (sent) => {
        const kept = cleanText(sent);
        expect(kept.normalize('NFKD')).not.toMatch(/(?:(?!\u034f)\p{M}){31}/u);
        const sorted = (text: string) => [...text.normalize('NFD').replaceAll(joiner, '')].toSorted().join('');
        expect(sorted(kept)).toBe(sorted(sent));
      }),
    );
  });
});
