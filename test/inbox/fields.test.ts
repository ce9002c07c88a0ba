import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldNames, spamMarks, storedContact } from '../../functions/contacts/contact.ts';
import { pages as en } from '../../functions/languages/en.ts';

const read = (file: string) => readFileSync(file, 'utf8');

/** An object of texts in the script of the inbox. */
const inboxTexts = (constant: string): Record<string, string> => {
  const [, rows = ''] = new RegExp(`^const ${constant} = \\{\n(.*?)^\\};$`, 'ms').exec(read('inbox/inbox.js')) ?? [];
  return Object.fromEntries([...rows.matchAll(/^ {2}'?([\w ]+)'?: '(.*)',$/gm)].map(([, name, text]) => [name, text]));
};

test('the inbox shows every field of a contact request, and uses the labels of the English pages', () => {
  const labels = inboxTexts('labels');
  const shown = Object.keys(labels).filter((name) => name !== 'keptUntil');
  expect([...shown, 'extra'].toSorted()).toEqual(Object.keys(storedContact.entries).toSorted());
  expect(labels).toMatchObject(Object.fromEntries(fieldNames.map((name) => [name, en.labels[name]])));
});

test('inbox/inbox.js has the words for every mark of spam (vitest -u writes them)', async () => {
  const rows = spamMarks.map(
    ({ reason, meaning }) => `  ${reason.includes(' ') ? `'${reason}'` : reason}: '${meaning}',\n`,
  );
  const written = read('inbox/inbox.js').replace(/(?<=^const spamReasons = \{\n).*?(?=^\};$)/ms, () => rows.join(''));
  await expect(written).toMatchFileSnapshot('../../inbox/inbox.js');
});
