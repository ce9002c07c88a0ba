import type { SQSBatchResponse } from 'aws-lambda';
import * as v from 'valibot';

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

export type QueuedMessage = v.InferOutput<typeof queueEvent>['Records'][number];

/**
 * Takes the messages of an event. SQS retries those that failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 * @param take returns whether a message is done
 */
export const takeEach = async (
  messages: readonly QueuedMessage[],
  take: (message: QueuedMessage) => Promise<boolean>,
): Promise<SQSBatchResponse> => {
  const done = await Promise.all(messages.map(take));
  return {
    batchItemFailures: messages.filter((_, at) => !done[at]).map(({ messageId }) => ({ itemIdentifier: messageId })),
  };
};
