import type { ContactFields } from '../contacts/contact.ts';
import { contentHash } from '../contacts/contact-store.ts';
import type { Visitor } from '../pages/visitor.ts';

const minute = 60_000;

/**
 * The key under which a contact request is stored once. Plain forms cannot send one, and browsers send them twice after a double
 * click or a reload: their key follows from what they send. It holds a space, so no client's key can equal it. It does not depend
 * on the spam mark: otherwise the id could show a bot that it was caught. Without an address or a number there is none, because
 * two people can give the same answer to a poll.
 */
export const storageKeyOf = (
  sentKey: string | undefined,
  { wantsPage, site }: Visitor,
  fields: ContactFields,
  receivedAt: Date,
): string | undefined => {
  if (sentKey !== undefined) return sentKey;
  if (!wantsPage || (fields.email ?? fields.phone) === undefined) return undefined;
  return ['plain form', Math.floor(receivedAt.getTime() / minute), site?.origin, contentHash(fields)].join(' ');
};
