import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const lines = ['inbox.js', 'index.html'].flatMap((file) => readFileSync(`inbox/${file}`, 'utf8').split('\n'));

/** The messages of the table in docs/inbox.md. An ellipsis stands for what differs. */
const messages = [...readFileSync('docs/inbox.md', 'utf8').matchAll(/^\| `(.*?)` \|/gm)]
  .map(([, message = '']) => message)
  .filter((message) => message.includes(' '));

test('docs/inbox.md explains messages', () => {
  expect(messages.length).toBeGreaterThan(3);
});

test.each(messages)('the inbox says "%s", as docs/inbox.md quotes it', (message) => {
  const parts = message.split('…');
  expect(lines.filter((line) => parts.every((part) => line.includes(part)))).toHaveLength(1);
});
