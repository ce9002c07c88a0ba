import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import english from '../../inbox/languages/en.js';

/** What the inbox says. An ellipsis stands for what differs. */
const texts = Object.values(english).map((text) => (typeof text === 'string' ? text.replaceAll(/\{\w+\}/g, '…') : ''));

/** The messages of the table in docs/inbox.md. */
const messages = [...readFileSync('docs/inbox.md', 'utf8').matchAll(/^\| `(.*?)` \|/gm)]
  .map(([, message = '']) => message)
  .filter((message) => message.includes(' '));

test('docs/inbox.md explains messages', () => {
  expect(messages.length).toBeGreaterThan(3);
});

test.each(messages)('the inbox says "%s", as docs/inbox.md quotes it', (message) => {
  expect(texts.filter((text) => text.startsWith(message))).toHaveLength(1);
});
