import type { Contact } from '../contacts/contact.ts';
import { placeOf } from '../contacts/table.ts';

/** Why a notification could not be delivered. The reason goes into logs: it holds no personal data, URL or secret. */
export class Failure extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** A code of Node's, such as `ECONNREFUSED`, else the name of an error's kind, as the SDK has it: never its message. */
export const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Error';
  const name = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^\w{1,64}$/.test(name) ? name : 'Error';
};

/** A signal that aborts after so many milliseconds. */
export type TimeLimit = (milliseconds: number) => AbortSignal;

/** Ends with the work or at the signal, whichever comes first: some work does not heed the signal. */
export const within = async <Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([work(signal), over]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};

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
