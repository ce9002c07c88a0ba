import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the code has every message that docs/troubleshooting.md quotes', () => {
  const document = readFileSync('docs/troubleshooting.md', 'utf8');
  const code = globSync('{bin,example-site,functions,inbox,lib}/**/*.{cjs,js,ts}')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const messages = [...document.matchAll(/^- (?:\*\*)?(?:"(.*?)"|`([^`]*…[^`]*)`)/gm)].map(
    ([, seen, printed]) => seen ?? printed ?? '',
  );
  expect(messages.length).toBeGreaterThan(5);
  // An ellipsis stands for a value.
  const parts = messages.flatMap((message) => message.split('…').map((part) => part.trim()));
  expect(parts.filter((part) => !code.includes(part))).toEqual([]);
});
