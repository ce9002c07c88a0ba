import { expect, it } from 'vitest';
import { loadLanguage } from '../../../functions/languages/load.ts';
import { discord } from '../../../functions/notify/discord.ts';
import { emailHtml } from '../../../functions/notify/email-html.ts';
import { emailText } from '../../../functions/notify/email-text.ts';
import { slack } from '../../../functions/notify/slack.ts';
import { telegram } from '../../../functions/notify/telegram.ts';
import type { Wording } from '../../../functions/notify/wording.ts';
import { exampleContact } from '../../support/stored-contacts.ts';

const contact = {
  ...exampleContact,
  files: [
    { name: 'cv <Ada>.pdf', type: 'application/pdf', size: 2_148_213 },
    { name: 'roof.jpg', type: 'image/jpeg', size: 48_213 },
    { name: 'note.txt', type: 'text/plain', size: 1 },
  ],
};
const wording: Wording = { environment: 'prod', inboxOrigin: 'https://inbox.example.com', subjects: new Map() };

const postTo = ({ toPost }: typeof slack) => toPost(contact, 'https://hooks.example.com/secret', wording).body;

it.each([
  ['text', emailText, '\nFiles:\n| cv <Ada>.pdf (2.1 MB)\n| roof.jpg (48.2 kB)\n| note.txt (1 byte)\n\n'],
  ['HTML', emailHtml, 'cv &#60;Ada&#62;.pdf (2.1 MB)<br>roof.jpg (48.2 kB)<br>note.txt (1 byte)</dd>'],
])('the %s of an email has the names of files, as what a visitor wrote, and the sizes', (_, render, expected) => {
  expect(render(contact, wording)).toContain(expected);
});

it.each([
  [
    'Slack',
    slack,
    String.raw`"plain_text","text":"Files: cv <Ada>.pdf (2.1 MB)\nroof.jpg (48.2 kB)\nnote.txt (1 byte)"`,
  ],
  ['Discord', discord, String.raw`\nFiles: cv <Ada>.pdf (2.1 MB) roof.jpg (48.2 kB) note.txt (1 byte)\n`],
  ['Telegram', telegram, String.raw`\nFiles: cv <Ada>.pdf (2.1 MB) roof.jpg (48.2 kB) note.txt (1 byte)\n`],
])('a message to %s has the names and sizes of files', (_, chat, expected) => {
  expect(postTo(chat)).toContain(expected);
});

it('writes sizes as the language does', async () => {
  const text = emailText(contact, { ...wording, language: await loadLanguage(['de']) });
  expect(text.replaceAll('\u00a0', ' ')).toContain(
    '| cv <Ada>.pdf (2,1 MB)\n| roof.jpg (48,2 kB)\n| note.txt (1 Byte)\n',
  );
});
