import type { SQSBatchResponse } from 'aws-lambda';
import * as v from 'valibot';
import { errorName, LoggableError, type TimeoutAfter, withDeadline } from '../shared/calls.ts';
import { describeError, log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { type TargetMessage, targetMessage } from './target.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export const queueEvent = v.object({
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

export interface Task {
  readonly message: TargetMessage;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** What log lines say of it. */
  readonly fields: { readonly target: string; readonly contactId: string; readonly tries: number };
}

interface TakeOptions {
  /** The log's message about a failure. */
  readonly failure: 'confirmation failed' | 'notification failed';
  readonly count: CountMetric;
  /** Rejects if SQS has to try again. */
  readonly take: (task: Task) => Promise<void>;
}

/**
 * Takes the messages of an event. A failed one stays in its queue, and SQS retries (docs/notifications.md).
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export const takeEach = async (
  messages: readonly QueuedMessage[],
  { failure, count, take }: TakeOptions,
): Promise<SQSBatchResponse> => {
  /** @returns whether the message is done */
  const takeOne = async ({ body, attributes }: QueuedMessage): Promise<boolean> => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), targetMessage), body);
    if (!parsed.success) {
      log('error', 'unreadable message');
      return false;
    }
    const message = parsed.output;
    const { target, id: contactId } = message;
    const fields = { target, contactId, tries: Number(attributes.ApproximateReceiveCount) };
    try {
      await take({ message, sentAt: attributes.SentTimestamp, fields });
      return true;
    } catch (error) {
      count('NotificationsFailed', { target });
      const reason =
        error instanceof LoggableError
          ? { reason: error.reason }
          : { reason: errorName(error), ...describeError(error) };
      log('warn', failure, { ...fields, ...reason });
      return false;
    }
  };
  const done = await Promise.all(messages.map(takeOne));
  return {
    batchItemFailures: messages.filter((_, at) => !done[at]).map(({ messageId }) => ({ itemIdentifier: messageId })),
  };
};

/** Milliseconds for the store to respond. */
export const storeTimeout = 2_500;

/** Waits for the store. @throws {LoggableError} */
export const inStoreTime = <Result>(timeoutAfter: TimeoutAfter, work: () => Promise<Result>): Promise<Result> =>
  withDeadline(timeoutAfter(storeTimeout), work).catch((error) => {
    throw new LoggableError(error instanceof v.ValiError ? 'unreadable item' : `store ${errorName(error)}`);
  });
