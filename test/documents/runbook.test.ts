import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the code has every log message and reason that docs/runbook.md tells people to look for', () => {
  const document = readFileSync('docs/runbook.md', 'utf8');
  const code = globSync('{functions,lib}/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const quoted = [
    ...document.matchAll(
      /(?:`|message = ")((?!(?:aws|bash|git|npm|npx) )[a-z][a-z-]*(?: [a-z][a-z-]*)+)(?: \d+ seconds)?[`"]/g,
    ),
  ];
  const messages = quoted.map(([, message = '']) => message);
  expect(messages).toEqual(expect.arrayContaining(['notification failed', 'origin refused', 'no response within']));
  // The code puts `secret` before what is wrong with one.
  expect(messages.filter((message) => !code.includes(message.replace(/^secret /, '')))).toEqual([]);
});
