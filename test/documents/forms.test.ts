import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const snippets = readFileSync('docs/forms.md', 'utf8').split('```');
const snippet = snippets.find((text) => text.startsWith('js') && text.includes('output'))?.slice('js'.length) ?? '';

const message = 'Fill in at least one of these fields.';

test.each([
  [
    'each message once',
    { error: 'Bad Request', details: [{ message }, { message }, { message: 'Shorten this.' }] },
    `${message} Shorten this.`,
  ],
  ['a sentence of its own for an error without details', { error: 'Not Found' }, 'Your message could not be sent.'],
])('the code of docs/forms.md for scripts shows %s', (_name, data, shown) => {
  const output = { textContent: '' };
  runInNewContext(snippet, { data, output });
  expect(output.textContent).toBe(shown);
});
