import type { Contact } from '../contacts/contact.ts';
import { listedAtOf } from '../contacts/table.ts';

/** A failed delivery. Its reason goes into logs, so it must hold no personal data, URL or secret. */
export class DeliveryError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** The code of a Node error, such as `ECONNREFUSED`, else the error's name; never its message. */
export const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Error';
  const name = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^\w{1,64}$/.test(name) ? name : 'Error';
};

/** Makes a signal that aborts after some milliseconds. */
export type TimeLimit = (milliseconds: number) => AbortSignal;

/** Stops waiting when the signal aborts, even for work that ignores the signal. */
export const withDeadline = async <Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  return Promise.race([work(signal), over]);
};

/** The news of a contact request. */
export interface Notification {
  /** The same on every try, and without a full stop: https://www.standardwebhooks.com */
  readonly id: string;
  readonly type: 'contact.created' | 'contact.released';
  /** When the contact request entered the list: RFC 3339. */
  readonly timestamp: string;
  readonly contact: Contact;
}

export const notificationOf = (contact: Contact): Notification => {
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
 * @throws {DeliveryError} if the target does not accept it
 */
export type Deliver = (notification: Notification) => Promise<void>;
