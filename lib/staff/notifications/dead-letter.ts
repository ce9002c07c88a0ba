import type { Message } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { rfc3339Time } from '../../../functions/http/time.ts';
import type { Target } from './notifications.ts';

/** A message of the dead letters, as far as it is looked at. */
const message = v.object({
  MessageId: v.string(),
  ReceiptHandle: v.string(),
  Body: v.string(),
  Attributes: v.object({
    SentTimestamp: v.pipe(v.string(), v.transform(Number), v.integer()),
    DeadLetterQueueSourceArn: v.exactOptional(v.string()),
  }),
  // What functions/notify/ says when it gives up; what says it otherwise is none of its.
  MessageAttributes: v.fallback(
    v.object({
      Target: v.exactOptional(v.object({ StringValue: v.string() })),
      Tries: v.exactOptional(v.object({ StringValue: v.pipe(v.string(), v.transform(Number), v.integer()) })),
      Reason: v.exactOptional(v.object({ StringValue: v.string() })),
    }),
    {},
  ),
});

/** What is asked of a message besides its body. */
export const askedOf = {
  MessageSystemAttributeNames: ['SentTimestamp', 'DeadLetterQueueSourceArn'],
  MessageAttributeNames: ['Target', 'Tries', 'Reason'],
} as const;

/**
 * What the pipe writes of records that it gave up: where in the stream they are, which keeps them for a day.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-dynamodb.html
 */
const ofPipe = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    DDBStreamBatchInfo: v.object({
      approximateArrivalOfFirstRecord: rfc3339Time,
      approximateArrivalOfLastRecord: rfc3339Time,
    }),
  }),
  v.transform(({ DDBStreamBatchInfo: batch }) => ({
    first: batch.approximateArrivalOfFirstRecord,
    last: batch.approximateArrivalOfLastRecord,
  })),
);

export interface DeadLetter {
  readonly id: string;
  readonly receipt: string;
  /** Holds personal data: it is sent as it is, and shown to nobody. */
  readonly body: string;
  /** When it was put there. */
  readonly sentAt: Date;
  readonly tries?: number;
  readonly reason?: string;
  /** Whose it is; the name of one that there is no more; when those came that the pipe gave up; or nobody knows. */
  readonly of:
    | { readonly target: Target }
    | { readonly gone: string }
    | { readonly first: string; readonly last: string }
    | undefined;
}

const lastPart = (text: string, separator: string) => text.slice(text.lastIndexOf(separator) + 1);

/** @throws {Error} when SQS has left out what it was asked for */
export const readDeadLetter = (received: Message, targets: readonly Target[]): DeadLetter => {
  const {
    MessageId: id,
    ReceiptHandle: receipt,
    Body: body,
    Attributes,
    MessageAttributes,
  } = v.parse(message, received);
  const name = MessageAttributes.Target?.StringValue;
  // Of one that its function never gave up, since it did not even come to that, SQS itself says which queue it was in.
  const queue = Attributes.DeadLetterQueueSourceArn && lastPart(Attributes.DeadLetterQueueSourceArn, ':');
  const target = targets.find((each) => (name ? each.name === name : lastPart(each.queue, '/') === queue));
  const gaveUp = name ?? queue;
  const pipe = v.safeParse(ofPipe, body);
  return {
    id,
    receipt,
    body,
    sentAt: new Date(Attributes.SentTimestamp),
    ...(MessageAttributes.Tries && { tries: MessageAttributes.Tries.StringValue }),
    ...(MessageAttributes.Reason && { reason: MessageAttributes.Reason.StringValue }),
    of: target ? { target } : gaveUp ? { gone: gaveUp } : pipe.success ? pipe.output : undefined,
  };
};
