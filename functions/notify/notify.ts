import middy from '@middy/core';
import type { SQSBatchResponse } from 'aws-lambda';
import * as v from 'valibot';
import type { Contact } from '../contacts/contact.ts';
import type { ContactStore } from '../contacts/store.ts';
import { placeOf } from '../contacts/table.ts';
import { describeError, log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { type Deliver, Failure, nameOf, notificationOf, type TimeLimit, within } from './deliver.ts';
import { targetMessage } from './targets.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
const queueEvent = v.object({
  Records: v.array(
    v.object({
      messageId: v.string(),
      body: v.string(),
      attributes: v.object({
        ApproximateReceiveCount: v.string(),
        /** In milliseconds since 1970. */
        SentTimestamp: v.pipe(v.string(), v.toNumber()),
      }),
    }),
  ),
});

type QueuedMessage = v.InferOutput<typeof queueEvent>['Records'][number];

/** Asks for a sample to one target, by its name: `npx crcs notifications test`. */
const sampleEvent = v.object({ sample: v.string() });

export type SampleResult =
  | { readonly delivered: true; readonly milliseconds: number }
  | { readonly delivered: false; readonly reason: string; readonly milliseconds: number };

/**
 * How long a target is tried, in milliseconds. SQS tries often enough for a day, but when many messages wait for a target
 * that hangs, each is tried less often: later ones fail here at once, so that all reach the dead-letter queue in time.
 */
const tryFor = 24 * 60 * 60 * 1000;

/** For the store to answer, in milliseconds. */
const storeLimit = 2_500;

/** A contact request that nobody made. */
const sampleContact = (now: Date): Contact => ({
  id: '00000000-0000-4000-8000-000000000000',
  createdAt: now.toISOString(),
  email: 'visitor@example.com',
  phone: '+1 202 555 0142',
  company: 'Example Company',
  message: 'This is a test: contact requests arrive here.\nNobody wrote it, and it is not stored.',
  firstName: 'Sample',
  lastName: 'Visitor',
  extra: { 'another field': 'Other fields of a form look like this.' },
  site: 'https://www.example.com',
});

export interface NotifyOptions {
  /** How to deliver to each target, by the target's name. */
  readonly targets: ReadonlyMap<string, Deliver>;
  readonly store: Pick<ContactStore, 'get'>;
  readonly count: CountMetric;
  readonly limit: TimeLimit;
  readonly now: () => Date;
}

/**
 * Delivers notifications, each to the target that its message names. A failed message stays in its queue, and SQS tries
 * again (docs/notifications.md).
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export const notify = ({ targets, store, count, limit, now }: NotifyOptions) => {
  const deliverTo = (name: string): Deliver => {
    const deliver = targets.get(name);
    if (!deliver) throw new Failure('unknown target');
    return deliver;
  };

  const find = (id: string) =>
    within(limit(storeLimit), () => store.get(id, now())).catch((error) => {
      throw new Failure(error instanceof v.ValiError ? 'unreadable item' : `store ${nameOf(error)}`);
    });

  /** @returns whether the message is done */
  const take = async ({ body, attributes }: QueuedMessage): Promise<boolean> => {
    const message = v.safeParse(v.pipe(v.string(), v.parseJson(), targetMessage), body);
    if (!message.success) {
      log('error', 'unreadable message');
      return false;
    }
    const { target, id: contactId, place } = message.output;
    const fields = { target, contactId, tries: Number(attributes.ApproximateReceiveCount) };
    try {
      if (now().getTime() - attributes.SentTimestamp > tryFor) throw new Failure('tried for a day');
      const contact = await find(contactId);
      // If it was released meanwhile, or replaced by another under its key, another message is about that.
      if (!contact || placeOf(contact) !== place) {
        log('info', 'notification skipped', { ...fields, reason: contact ? 'changed' : 'gone' });
        return true;
      }
      await deliverTo(target)(notificationOf(contact));
    } catch (error) {
      count('NotificationsFailed', target);
      const reason =
        error instanceof Failure ? { reason: error.reason } : { reason: nameOf(error), ...describeError(error) };
      log('warn', 'notification failed', { ...fields, ...reason });
      return false;
    }
    log('info', 'notification delivered', fields);
    return true;
  };

  const takeAll = async (messages: readonly QueuedMessage[]): Promise<SQSBatchResponse> => {
    const done = await Promise.all(messages.map(take));
    return {
      batchItemFailures: messages.filter((_, at) => !done[at]).map(({ messageId }) => ({ itemIdentifier: messageId })),
    };
  };

  const deliverSample = async (target: string): Promise<SampleResult> => {
    const start = now();
    const passed = () => now().getTime() - start.getTime();
    try {
      await deliverTo(target)(notificationOf(sampleContact(start)));
      return { delivered: true, milliseconds: passed() };
    } catch (error) {
      const reason = error instanceof Failure ? error.reason : nameOf(error);
      return { delivered: false, reason, milliseconds: passed() };
    }
  };

  return middy<unknown, SQSBatchResponse | SampleResult>().handler(
    async (event): Promise<SQSBatchResponse | SampleResult> => {
      const parsed = v.safeParse(v.union([queueEvent, sampleEvent]), event);
      // Lambda logs all that an error has, and one of valibot's has the event.
      if (!parsed.success) throw new Error('This is no event of a queue, and asks for no sample');
      return 'sample' in parsed.output ? deliverSample(parsed.output.sample) : takeAll(parsed.output.Records);
    },
  );
};
