import type { StaffContact } from '../contacts/contact.ts';
import { listedAtOf } from '../contacts/contacts-table.ts';

/** The news of a contact request. */
export interface Notification {
  /** The same on every try, and without a full stop: https://www.standardwebhooks.com */
  readonly id: string;
  readonly type: 'contact.created' | 'contact.released';
  /** When the contact request entered the list: RFC 3339. */
  readonly timestamp: string;
  /** Has the reason of spam only for targets of spam. Who answered concerns no target. */
  readonly contact: Omit<StaffContact, 'answeredAt' | 'answeredBy'>;
}

export const notificationOf = ({ answeredAt: _, answeredBy: __, ...contact }: StaffContact): Notification => {
  const timestamp = listedAtOf(contact);
  return {
    id: `${contact.id}-${Date.parse(timestamp)}`,
    type: contact.releasedAt === undefined ? 'contact.created' : 'contact.released',
    timestamp,
    contact,
  };
};

/**
 * Delivers a notification to one target.
 * @throws {LoggableError} if the target does not accept it
 */
export type Deliver = (notification: Notification) => Promise<void>;
