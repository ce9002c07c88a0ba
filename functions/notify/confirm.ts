import { createHmac, randomUUID } from 'node:crypto';
import middy from '@middy/core';
import type { SQSBatchResponse } from 'aws-lambda';
import * as v from 'valibot';
import { listedAtOf } from '../contacts/contacts-table.ts';
import { LoggableError, type TimeoutAfter } from '../shared/calls.ts';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { type ConfirmedSites, confirmedSite, templateKey } from './confirm-settings.ts';
import type { SendConfirmation, SendOutcome } from './confirmation-email.ts';
import { type ConfirmationStore, type ConfirmedContact, isSpam } from './confirmation-store.ts';
import { formatTime } from './format-time.ts';
import { isRole, mailboxOf } from './mailbox.ts';
import { inStoreTime, queueEvent, type Task, takeEach } from './queue-event.ts';
import { isDeliverable } from './reply.ts';
import type { TargetMessage } from './target.ts';

/** Why a contact request gets no confirmation: values of the dimension `Reason`, and texts of the log. */
export type SkipReason =
  | 'gone'
  | 'changed'
  | 'spam'
  | 'too old'
  | 'no address'
  | 'role address'
  | 'own address'
  | 'sent already'
  | 'cap'
  | Exclude<SendOutcome, 'sent'>;

/** Milliseconds. A later confirmation would only puzzle the visitor. */
const maxAge = 24 * 60 * 60 * 1000;

export interface ConfirmOptions {
  readonly store: ConfirmationStore;
  readonly send: SendConfirmation;
  /** Reads the key of the hashes of addresses. */
  readonly addressKey: () => Promise<string>;
  readonly ownAddresses: readonly string[];
  readonly perHour: number;
  readonly sites: ConfirmedSites;
  /** Names of SES templates by `templateKey`. */
  readonly templates: ReadonlyMap<string, string>;
  readonly count: CountMetric;
  readonly timeoutAfter: TimeoutAfter;
  readonly now: () => Date;
}

/**
 * Sends a confirmation to the visitor of each message, at most one a day to a mailbox and `perHour` in an hour. If nobody knows
 * whether SES has sent one, it is not sent again.
 */
export const confirm = (options: ConfirmOptions) => {
  const { store, send, addressKey, perHour, sites, templates, count, timeoutAfter, now } = options;
  const ownMailboxes = options.ownAddresses.map(mailboxOf);

  const inTime = <Result>(work: () => Promise<Result>) => inStoreTime(timeoutAfter, work);

  /** Why there is none, as far as the contact request tells. */
  const reasonIn = (contact: ConfirmedContact | undefined, listedAt: string): SkipReason | undefined => {
    if (!contact) return 'gone';
    if (isSpam(contact)) return 'spam';
    if (listedAtOf(contact) !== listedAt || contact.releasedAt !== undefined) return 'changed';
    if (now().getTime() - Date.parse(contact.createdAt) > maxAge) return 'too old';
    const { email } = contact;
    if (email === undefined || !isDeliverable(email)) return 'no address';
    const mailbox = mailboxOf(email);
    if (isRole(mailbox)) return 'role address';
    return ownMailboxes.includes(mailbox) ? 'own address' : undefined;
  };

  const sendTo = ({ id, createdAt, site: origin, form, email: to = '' }: ConfirmedContact): Promise<SendOutcome> => {
    const { name: site, language } = confirmedSite(sites, origin);
    const template = templates.get(templateKey(language, form)) ?? templates.get(templateKey(language));
    if (template === undefined) throw new LoggableError('no template');
    return send({
      to,
      template,
      values: { site, time: formatTime(createdAt, { tag: language }), reference: id.slice(0, 8) },
    });
  };

  /** @returns why there is none; undefined: it was sent */
  const confirmOne = async ({ id, listedAt }: TargetMessage): Promise<SkipReason | undefined> => {
    const contact = await inTime(() => store.get(id, now()));
    const reason = reasonIn(contact, listedAt);
    if (!contact || reason !== undefined) return reason;
    const hash = createHmac('sha256', await addressKey())
      .update(mailboxOf(contact.email ?? ''))
      .digest('base64url');
    const thisTry = randomUUID();
    const at = now();
    let isCounted = false;
    try {
      // The address comes first, so that a flood of one costs one write each, and none of the hour's confirmations.
      if (!(await inTime(() => store.claim(hash, thisTry, at)))) return 'sent already';
      isCounted = await inTime(() => store.countInHour(perHour, at));
      if (!isCounted) return 'cap';
      const outcome = await sendTo(contact);
      return outcome === 'sent' ? undefined : outcome;
    } catch (error) {
      // Nothing was sent, so a retry may send it, and tries take nothing from other visitors.
      const gaveBack = [store.release(hash, thisTry, now()), isCounted && store.uncountInHour(at)];
      await inTime(() => Promise.allSettled(gaveBack)).catch(() => undefined);
      throw error;
    }
  };

  const take = async ({ message, fields }: Task): Promise<void> => {
    const reason = await confirmOne(message);
    if (reason === undefined) return log('info', 'confirmation sent', fields);
    count('ConfirmationsSkipped', { reason });
    log('info', 'confirmation skipped', { ...fields, reason });
  };

  return middy<unknown, SQSBatchResponse>().handler(async (event): Promise<SQSBatchResponse> => {
    const parsed = v.safeParse(queueEvent, event);
    // Lambda logs all properties of an error, and valibot's error holds the event.
    if (!parsed.success) throw new Error('Not an event of a queue');
    return takeEach(parsed.output.Records, { failure: 'confirmation failed', count, take });
  });
};
