import type { Contact } from '../contacts/contact.ts';
import { placeOf } from '../contacts/place.ts';

/** A contact request, as targets get it. */
export interface Notification {
  /** The same on every try, and without a full stop: https://www.standardwebhooks.com */
  readonly id: string;
  readonly type: 'contact.created' | 'contact.released';
  /** When the contact request came into the list: RFC 3339. */
  readonly timestamp: string;
  readonly contact: Contact;
}

export const notificationOf = (contact: Contact): Notification => {
  const timestamp = placeOf(contact);
  return {
    id: `${contact.id}-${Date.parse(timestamp)}`,
    type: contact.releasedAt === undefined ? 'contact.created' : 'contact.released',
    timestamp,
    contact,
  };
};

/**
 * Delivers a notification to one target.
 * @throws {Failure} when the target does not take it
 */
export type Deliver = (notification: Notification) => Promise<void>;
