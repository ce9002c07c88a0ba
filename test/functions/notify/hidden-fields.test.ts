import { expect, it } from 'vitest';
import { extraText } from '../../../functions/notify/chat.ts';
import { emailHtml } from '../../../functions/notify/email-html.ts';
import { emailText } from '../../../functions/notify/email-text.ts';
import { exampleContact } from '../../support/stored-contacts.ts';

const wording = { environment: 'prod', subjects: new Map() };
const contact = { ...exampleContact, extra: { action: 'send_form', size: 'XL' } };

it.each([
  ['the text of an email', emailText(contact, wording)],
  ['the HTML of an email', emailHtml(contact, wording)],
  ['a chat', extraText(contact, wording)],
])('stand last among the other fields in %s', (_, text) => {
  expect(text).toMatch(/size.*XL.*action.*send_form/s);
});
