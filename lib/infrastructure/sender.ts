import * as v from 'valibot';
import { checked, email } from './schemas.ts';

/** A name, and an address in angle brackets. */
const named = /^([^<>]*)<([^<>]*)>$/;

/** SES rejects longer ones, name and address together: https://github.com/zulip/zulip/issues/17558 */
const maxLength = 320;

/** The bare address of a sender. Identities, permissions and the doctor know no names. */
export const senderAddress = (sender: string): string => named.exec(sender)?.[2] ?? sender;

/** So many bytes fit into an encoded word, which has at most 75 characters: https://www.rfc-editor.org/rfc/rfc2047#section-2 */
const maxBytes = 45;

/** As few parts as possible, since some mail clients show a blank between two encoded words. No part splits a character. */
const partsOf = (text: string): string[] => {
  const parts: string[] = [];
  let part = '';
  for (const character of text) {
    if (Buffer.byteLength(part + character) > maxBytes) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
};

const encodedWords = (text: string) =>
  partsOf(text)
    .map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`)
    .join(' ');

/**
 * A sender as SES accepts it. SES leaves it to its callers to encode a name that is not ASCII:
 * https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html
 */
export const senderHeader = (sender: string): string => {
  const [, name, address] = named.exec(sender) ?? [];
  if (name === undefined) return sender;
  const text = name.trim();
  // In quotation marks, commas and full stops have no meaning. Quotation marks themselves are refused below.
  return `${/^[\x20-\x7e]*$/.test(text) ? `"${text}"` : encodedWords(text)} <${address}>`;
};

const errorOf = (sender: string): string | undefined => {
  // A line break would begin another header.
  if (/\p{Cc}/u.test(sender))
    return `${JSON.stringify(sender)} has a line break or another control character: remove it`;
  const [, name, address = sender] = named.exec(sender) ?? [];
  if (!v.is(email, address)) {
    return /[<> ]/.test(sender)
      ? `"${sender}" must be an address, or a name and an address in angle brackets, as in "Contact form <contact@example.com>"`
      : `"${sender}" is not an email address`;
  }
  if (name?.trim() === '') return `"${sender}" has no name: write the address without angle brackets`;
  if (/["\\]|=\?/.test(sender)) {
    return `"${sender}" must have the name as people read it, without quotation marks, backslashes and "=?": the service encodes it`;
  }
  if (senderHeader(sender).length > maxLength) return `"${sender}" is too long for Amazon SES: shorten the name`;
  return undefined;
};

/** The sender of emails: an address, which can have a name, as in `Contact form <contact@example.com>`. */
export const senderSetting = checked(errorOf);
