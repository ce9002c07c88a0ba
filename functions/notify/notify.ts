import middy from '@middy/core';
import type { SQSBatchResponse } from 'aws-lambda';
import * as v from 'valibot';
import { type SpamReason, type StaffContact, sampleFields } from '../contacts/contact.ts';
import type { ContactStore } from '../contacts/contact-store.ts';
import { listedAtOf } from '../contacts/contacts-table.ts';
import { errorName, LoggableError, type TimeoutAfter } from '../shared/calls.ts';
import { log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { type Deliver, notificationOf } from './deliver.ts';
import { inStoreTime, queueEvent, type Task, takeEach } from './queue-event.ts';

/** Requests a sample to a target, by the target's name: `npx --no-install crcs notifications test`. */
const sampleEvent = v.object({ sample: v.string() });

export type SampleResult =
  | { readonly delivered: true; readonly milliseconds: number }
  | { readonly delivered: false; readonly reason: string; readonly milliseconds: number };

/**
 * Milliseconds after which a message fails without a call. SQS's retries take a day. But if many messages wait for a target
 * that hangs, each is retried less often, and some would not reach the dead-letter queue before SQS deletes them.
 */
const maxMessageAge = 24 * 60 * 60 * 1000;

const sampleContact = (now: Date, isSpam: boolean): StaffContact => ({
  id: '00000000-0000-4000-8000-000000000000',
  createdAt: now.toISOString(),
  ...sampleFields,
  extra: { 'another field': 'Other fields of a form look like this.' },
  site: 'https://www.example.com',
  form: 'contact',
  ...(isSpam && { spamReason: 'trap' satisfies SpamReason }),
});

export interface NotifyOptions {
  /** How to deliver to each target, by the target's name. */
  readonly targets: ReadonlyMap<string, Deliver>;
  /** The names of those that get spam, and nothing else. */
  readonly spamTargets: readonly string[];
  readonly store: Pick<ContactStore, 'get'>;
  readonly count: CountMetric;
  readonly timeoutAfter: TimeoutAfter;
  readonly now: () => Date;
}

/** Delivers each message to the target that it names. */
export const notify = ({ targets, spamTargets, store, count, timeoutAfter, now }: NotifyOptions) => {
  const deliverTo = (name: string): Deliver => {
    const deliver = targets.get(name);
    if (!deliver) throw new LoggableError('unknown target');
    return deliver;
  };

  const take = async ({ message: { target, id, listedAt }, sentAt, fields }: Task): Promise<void> => {
    if (now().getTime() - sentAt > maxMessageAge) throw new LoggableError('tried for a day');
    const contact = await inStoreTime(timeoutAfter, () => store.get(id, now()));
    // If it was released or replaced meanwhile, another message covers that. Only targets for spam may learn what is spam.
    const isWanted = (contact?.spamReason !== undefined) === spamTargets.includes(target);
    if (!contact || listedAtOf(contact) !== listedAt || !isWanted) {
      return log('info', 'notification skipped', { ...fields, reason: contact ? 'changed' : 'gone' });
    }
    await deliverTo(target)(notificationOf(contact));
    log('info', 'notification delivered', fields);
  };

  const deliverSample = async (target: string): Promise<SampleResult> => {
    const start = now();
    const passed = () => now().getTime() - start.getTime();
    try {
      await deliverTo(target)(notificationOf(sampleContact(start, spamTargets.includes(target))));
      return { delivered: true, milliseconds: passed() };
    } catch (error) {
      const reason = error instanceof LoggableError ? error.reason : errorName(error);
      return { delivered: false, reason, milliseconds: passed() };
    }
  };

  return middy<unknown, SQSBatchResponse | SampleResult>().handler(
    async (event): Promise<SQSBatchResponse | SampleResult> => {
      const parsed = v.safeParse(v.union([queueEvent, sampleEvent]), event);
      // Lambda logs all properties of an error, and valibot's error holds the event.
      if (!parsed.success) throw new Error('Neither an event of a queue nor a request for a sample');
      return 'sample' in parsed.output
        ? deliverSample(parsed.output.sample)
        : takeEach(parsed.output.Records, { failure: 'notification failed', count, take });
    },
  );
};
