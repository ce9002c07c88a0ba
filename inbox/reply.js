// How to reach the visitor: the links of an opened contact request.

import { displayNameOf, subjectIn } from './names.js';
import { element } from './page.js';
import { say } from './texts.js';
import { sayLongTime } from './times.js';

/** Only an address that begins as it should becomes a link: what a visitor sent must not run. */
export function addressLink(href, text) {
  if (!/^(https:|mailto:|tel:)/.test(href)) return text;
  // To come back from a site would load the list again, and lose the place in it.
  return element('a', { href, target: href.startsWith('https:') ? '_blank' : '' }, text);
}

export const mailTo = (address) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** As much of a text as fits into a part of a link, without half a letter at its end. */
function encodeStart(text, room) {
  let encoded = '';
  for (const { segment } of new Intl.Segmenter().segment(text.toWellFormed())) {
    const next = encoded + encodeURIComponent(segment.replace('\n', '\r\n'));
    if (next.length > room) return `${encoded}${encodeURIComponent(' […]')}`;
    encoded = next;
  }
  return encoded;
}

/** An email that quotes the message. Windows passes on about 2,000 characters of a link. */
export function replyTo(contact) {
  const { email, message = '', createdAt } = contact;
  const subject = (subjectIn(contact) ?? say('yourMessage')).replaceAll(/\s+/g, ' ');
  const quote = message.replaceAll(/^/gm, '> ');
  const start = `${mailTo(email)}?subject=${encodeStart(`Re: ${subject}`, 300)}&body=`;
  const visitor = displayNameOf(contact) ?? say('visitor');
  const said = `\n\n${sayLongTime(createdAt)}, ${visitor}:\n${quote}`;
  return start + encodeStart(said, 1_950 - start.length);
}
