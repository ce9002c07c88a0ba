import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import * as v from 'valibot';
import { placeOf } from '../contacts/place.ts';
import { type ContactStore, contactStore } from '../contacts/store.ts';
import { contactsTable } from '../contacts/table.ts';
import { createDocumentClient } from '../dynamodb.ts';
import { describeError, log } from '../log.ts';
import { type CountMetric, embeddedMetrics } from '../metrics.ts';
import { readTableName, readVariables } from '../variables.ts';
import { tellByEmail } from './email.ts';
import { Failure, nameOf } from './failure.ts';
import { notificationOf, type Tell } from './notification.ts';
import { type NotifyVariables, notifyVariables } from './notify-variables.ts';
import { createPost } from './post.ts';
import { type NotificationQueue, notificationQueue, type QueuedMessage, queuedMessage } from './queue.ts';
import { parseRecord } from './record.ts';
import { waitAfter } from './retry.ts';
import { sampleContact } from './sample.ts';
import { signingSecrets } from './secret.ts';
import { tellSlack } from './slack.ts';
import { type TimeLimit, within } from './time-limit.ts';
import { tellWebhook } from './webhook.ts';

/** What the function is invoked with: by its queue, or by who wants to see whether the target can be told. */
const notifyEvent = v.union([v.object({ Records: v.array(queuedMessage) }), v.object({ sample: v.literal(true) })]);

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export type SampleAnswer =
  | { readonly told: true; readonly milliseconds: number }
  | { readonly told: false; readonly reason: string; readonly milliseconds: number };

/** For the store to answer, in milliseconds. */
const storeLimit = 6_000;

export interface NotifyOptions {
  /** The target's name. */
  readonly target: string;
  readonly tell: Tell;
  readonly store: Pick<ContactStore, 'get'>;
  readonly queue: NotificationQueue;
  readonly count: CountMetric;
  readonly limit: TimeLimit;
  readonly random: () => number;
  readonly now: () => Date;
}

/** Tells one target of contact requests: docs/notifications.md. */
export const notify = ({ target, tell, store, queue, count, limit, random, now }: NotifyOptions) => {
  const find = ({ id }: { readonly id: string }) =>
    within(limit(storeLimit), () => store.get(id, now())).catch((error) => {
      if (error instanceof v.ValiError) throw new Failure('unreadable item', { isFinal: true });
      throw new Failure(`store ${nameOf(error)}`);
    });

  /** @returns whether the message is done with */
  const fail = async (message: QueuedMessage, contactId: string | undefined, error: unknown): Promise<boolean> => {
    const { ApproximateReceiveCount: tries, ApproximateFirstReceiveTimestamp: since } = message.attributes;
    const { reason, retryAfter, isFinal } = error instanceof Failure ? error : new Failure(nameOf(error));
    const wait = isFinal ? undefined : waitAfter({ tries, since, retryAfter }, now(), random);
    const failed = { target, contactId, tries, reason, ...(error instanceof Failure ? {} : describeError(error)) };
    count('NotificationsFailed', target);
    if (wait === undefined) {
      await queue.giveUp(message, { target, tries, reason });
      log('error', 'notification given up', failed);
      return true;
    }
    log('warn', 'notification failed', { ...failed, nextTryInSeconds: wait });
    await queue.postpone(message, wait);
    return false;
  };

  /** @returns whether the message is done with */
  const take = async (message: QueuedMessage): Promise<boolean> => {
    let contactId: string | undefined;
    const skip = (nothing: string) => {
      log('info', 'nothing to tell', { target, contactId, nothing });
      return true;
    };
    try {
      const record = parseRecord(message.body);
      contactId = record.id;
      if ('nothing' in record) return skip(record.nothing);
      const found = await find(record);
      if (!found) return skip('gone');
      // Released, or replaced under its key: another record tells that.
      if (placeOf(found) !== record.place) return skip('moved');
      await tell(notificationOf(found));
    } catch (error) {
      return await fail(message, contactId, error);
    }
    log('info', 'notification told', { target, contactId, tries: message.attributes.ApproximateReceiveCount });
    return true;
  };

  const takeAll = async (messages: readonly QueuedMessage[]): Promise<BatchAnswer> => {
    const taken = await Promise.all(
      messages.map((message) =>
        // The queue itself lets it come again, after its own time.
        take(message).catch((error) => {
          log('error', 'queue failed', { target, ...describeError(error) });
          return false;
        }),
      ),
    );
    return {
      batchItemFailures: messages
        .filter((_, place) => !taken[place])
        .map(({ messageId }) => ({ itemIdentifier: messageId })),
    };
  };

  const tellSample = async (): Promise<SampleAnswer> => {
    const start = now();
    const passed = () => now().getTime() - start.getTime();
    try {
      await tell(notificationOf(sampleContact(start)));
      return { told: true, milliseconds: passed() };
    } catch (error) {
      const reason = error instanceof Failure ? error.reason : nameOf(error);
      return { told: false, reason, milliseconds: passed() };
    }
  };

  return middy<unknown, BatchAnswer | SampleAnswer>().handler(async (event): Promise<BatchAnswer | SampleAnswer> => {
    const parsed = v.safeParse(notifyEvent, event);
    // Lambda logs all that an error has, and one of valibot's has the event.
    if (!parsed.success) throw new Error('This is no event of a queue, and asks for no sample');
    return 'sample' in parsed.output ? tellSample() : takeAll(parsed.output.Records);
  });
};

const now = () => new Date();

const limit: TimeLimit = (milliseconds) => AbortSignal.timeout(milliseconds);

const tellOf = ({ TARGET: target, ENVIRONMENT: environment }: NotifyVariables): Tell => {
  if (target.kind === 'email') return tellByEmail(new SESv2Client(), { ...target, environment }, limit);
  const post = createPost(limit, now);
  return target.kind === 'slack'
    ? tellSlack(target.url, environment, post)
    : tellWebhook(target.url, signingSecrets(new SecretsManagerClient(), target.secretArn, limit, now), post, now);
};

const table = readTableName(contactsTable);

const variables = readVariables(notifyVariables);

export const handler = notify({
  target: variables.TARGET_NAME,
  tell: tellOf(variables),
  store: contactStore(createDocumentClient(), table),
  queue: notificationQueue(new SQSClient(), variables, limit),
  count: embeddedMetrics(variables.ENVIRONMENT, now),
  limit,
  random: Math.random,
  now,
});
