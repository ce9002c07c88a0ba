import * as v from 'valibot';
import type { Contact } from '../contacts/contact.ts';
import type { EmailTexts } from '../languages/language.ts';
import { encodedWord } from '../shared/text.ts';

/**
 * An address that SES accepts: RFC 5322, section 3.4.1 (full stops), RFC 5321, section 4.5.3.1 (lengths). Browsers accept
 * more, and SES would refuse the whole email. A mail client could decode an encoded word into another address.
 */
const replyAddress = v.pipe(
  v.string(),
  v.maxLength(254),
  v.rfcEmail(),
  v.regex(/^(?=[^@]{1,64}@)[^.@]+(?:\.[^.@]+)*@.*\./),
  v.check((address) => !address.includes(encodedWord)),
);

/** Whether emails can be sent to an address. */
export const isDeliverable = (address: string): boolean => v.is(replyAddress, address);

/** The visitor's address, if emails can be sent there. */
export const replyAddressOf = ({ email }: Contact): string | undefined =>
  email !== undefined && isDeliverable(email) ? email : undefined;

/** Says where a reply to the email goes. */
export const howToReply = (contact: Contact, emails: EmailTexts): string => {
  if (replyAddressOf(contact) !== undefined) return emails.replyGoes;
  if (contact.email !== undefined) return emails.writeInstead;
  return contact.phone === undefined ? emails.replyDoesNotReach : emails.callInstead;
};
