import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { minimal } from '../../bench/functions.ts';
import { comparedCpu } from '../../bench/page.ts';

test.each([
  [0.61, '39 % less CPU time than'],
  [0.996, 'as much CPU time as'],
  [1, 'as much CPU time as'],
  [1.25, '25 % more CPU time than'],
])('a ratio of %d reads as %s', (ratio, words) => {
  expect(comparedCpu(ratio)).toBe(words);
});

test('docs/measured.md begins with what its tables of ratios say', () => {
  const text = readFileSync('docs/measured.md', 'utf8');
  const ratios = [...text.matchAll(/^\| create-contact \| [\d.]+ \| ([\d.]+) \|/gm)].map(([, ratio]) => Number(ratio));
  const sentences = [...text.matchAll(/^- A .* uses (.*) (?:a|the) minimal handler/gm)].map(([, words]) => words);
  expect(ratios).toHaveLength(2);
  expect(sentences).toEqual(ratios.map(comparedCpu));
  expect(text).toContain(`| ${minimal} |`);
});
