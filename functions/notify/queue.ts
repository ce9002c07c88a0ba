import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import type { NotifyVariables } from './notify-variables.ts';
import { type TimeLimit, within } from './time-limit.ts';

const number = v.pipe(v.string(), v.toNumber());

/** A message, as an event source hands it over: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export const queuedMessage = v.object({
  messageId: v.string(),
  receiptHandle: v.string(),
  body: v.string(),
  attributes: v.object({
    ApproximateReceiveCount: number,
    /** In milliseconds since 1970. */
    ApproximateFirstReceiveTimestamp: v.pipe(
      number,
      v.transform((time) => new Date(time)),
    ),
  }),
});

export type QueuedMessage = v.InferOutput<typeof queuedMessage>;

export interface GivenUp {
  readonly target: string;
  readonly tries: number;
  readonly reason: string;
}

export interface NotificationQueue {
  /** Lets a message come again after so many seconds. */
  readonly postpone: (message: QueuedMessage, seconds: number) => Promise<void>;
  /** Puts a message where somebody sees it who can do something about it. */
  readonly giveUp: (message: QueuedMessage, why: GivenUp) => Promise<void>;
}

/** For a call to SQS, in milliseconds. */
const callLimit = 4_000;

/** The target's own queue, and the dead letters of all targets. */
export const notificationQueue = (
  client: SQSClient,
  { QUEUE_URL, DEAD_LETTERS_URL }: Pick<NotifyVariables, 'QUEUE_URL' | 'DEAD_LETTERS_URL'>,
  limit: TimeLimit,
): NotificationQueue => ({
  postpone: async ({ receiptHandle }, seconds) => {
    const command = new ChangeMessageVisibilityCommand({
      QueueUrl: QUEUE_URL,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    });
    await within(limit(callLimit), (abortSignal) => client.send(command, { abortSignal }));
  },
  giveUp: async ({ body }, { target, tries, reason }) => {
    const command = new SendMessageCommand({
      QueueUrl: DEAD_LETTERS_URL,
      MessageBody: body,
      MessageAttributes: {
        Target: { DataType: 'String', StringValue: target },
        Tries: { DataType: 'Number', StringValue: String(tries) },
        Reason: { DataType: 'String', StringValue: reason },
      },
    });
    await within(limit(callLimit), (abortSignal) => client.send(command, { abortSignal }));
  },
});
