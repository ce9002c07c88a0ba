import type { SpamReason } from '../contacts/contact.ts';
import { contentHash } from '../contacts/contact-store.ts';
import type { Submission } from './submission.ts';

const hour = 3_600_000;

type Keyed = Pick<Submission, 'sentKey' | 'visitor' | 'fields'>;

/**
 * Identifies what a visitor sends, if they send it again: by the client's key or, of a plain form, which can send none, by its
 * content. Two people can give the same answer to a poll, so a form without an address or a number has none. It holds a space,
 * so no client's key can equal it.
 */
export const retryKeyOf = ({ sentKey, visitor: { wantsPage, site }, fields }: Keyed): string | undefined => {
  if (sentKey.value !== undefined) return sentKey.value;
  if (!wantsPage || (fields.email ?? fields.phone) === undefined) return undefined;
  return ['plain form', site?.origin, contentHash(fields)].join(' ');
};

/**
 * The key under which a contact request is stored once: of a plain form, once an hour. Browsers send it again after a second
 * press, and phones when they restore a tab. What a defence caught has another one, or a stranger could send a form that is easy
 * to guess, with a filled trap, and the visitor's own would count as a repeat. The client's key stays as it is, because a
 * response that depends on the mark would show a bot that it was caught; pages show no id.
 */
export const storageKeyOf = (
  submission: Keyed & Pick<Submission, 'receivedAt'>,
  spam: SpamReason | false,
): string | undefined => {
  const retryKey = retryKeyOf(submission);
  if (retryKey === undefined || submission.sentKey.value !== undefined) return retryKey;
  const hours = Math.floor(submission.receivedAt.getTime() / hour);
  return [retryKey, hours, ...(spam ? ['caught'] : [])].join(' ');
};
