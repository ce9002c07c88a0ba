import * as v from 'valibot';
import type { Emulator } from './emulator.ts';

/** A message, whether it waits or is being worked at. */
const message = v.object({
  Body: v.string(),
  ReceiveCount: v.number(),
  MessageAttributes: v.record(v.string(), v.object({ StringValue: v.string() })),
});

const peeked = v.object({
  messages: v.record(v.string(), v.record(v.string(), v.record(v.string(), v.array(message)))),
});

export type QueuedMessage = v.InferOutput<typeof message>;

/** What is in a queue, without a touch: the emulator's own look into it. */
export const messagesIn = async ({ endpoint }: Emulator, queueUrl: string): Promise<QueuedMessage[]> => {
  const response = await fetch(`${endpoint}/_ministack/sqs/messages?QueueUrl=${encodeURIComponent(queueUrl)}`);
  const { messages } = v.parse(peeked, await response.json());
  return Object.values(messages).flatMap((regions) =>
    Object.values(regions).flatMap((queues) => Object.values(queues).flat()),
  );
};
