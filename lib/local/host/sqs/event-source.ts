import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Invoke } from '../lambda/function-pool.ts';
import type { Log } from '../log.ts';
import type { QueueDefinition } from '../template/definitions.ts';
import type { QueueSource } from '../template/event-sources.ts';
import { accountId, region } from '../template/intrinsics.ts';
import type { MessageAttributes, QueueCalls, ReceivedMessage } from './queue-store.ts';

/** What invokes a function with the messages of its queue. */
export interface EventSource {
  /** Begins with what is in the queue. */
  start(): void;
  /** There may be a message to receive. */
  wake(): void;
  /** Receives no more, and lets the invocations under way end. */
  close(): Promise<void>;
}

/** How long to wait when the store fails, as on a full disk. */
const patience = 10_000;

/**
 * How long to wait at most before looking again what is due: timers stand still while the machine sleeps, its clock may be
 * set meanwhile, and a timer of more than 24 days ends at once.
 */
const longestWait = 5 * 60_000;

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The attributes that SQS gives to each message: the times in milliseconds. */
export const systemAttributes = (message: ReceivedMessage): Readonly<Record<string, string>> => ({
  ApproximateReceiveCount: String(message.receives),
  SentTimestamp: String(message.sentAt),
  SenderId: accountId,
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
  ...(message.deadLetterSourceArn !== undefined && { DeadLetterQueueSourceArn: message.deadLetterSourceArn }),
});

const toEventAttributes = (attributes: MessageAttributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
        stringListValues: [],
        binaryListValues: [],
        dataType: DataType,
      },
    ]),
  );

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event */
const toEvent = ({ arn }: QueueDefinition, messages: readonly ReceivedMessage[]) => ({
  Records: messages.map((message) => ({
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: systemAttributes(message),
    messageAttributes: toEventAttributes(message.attributes),
    md5OfBody: md5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: arn,
    awsRegion: region,
  })),
});

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting */
const reportSchema = v.nullish(
  v.object({ batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.string() })), []) }),
  {},
);

/** The messages that a function's answer does not call failures: none when it cannot be read, or calls what it did not get. */
const doneOf = (messages: readonly ReceivedMessage[], payload: unknown): readonly ReceivedMessage[] => {
  const report = v.safeParse(reportSchema, payload);
  if (!report.success) return [];
  const failed = new Set(report.output?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  const done = messages.filter(({ id }) => !failed.has(id));
  return done.length + failed.size === messages.length ? done : [];
};

/**
 * Invokes a function with the messages of its queue, as Lambda does. One that fails stays in the queue, unseen until its
 * visibility timeout ends.
 */
export const createEventSource = (
  { queue, functionArn, batchSize, maximumConcurrency }: QueueSource,
  queues: QueueCalls,
  invoke: Invoke,
  clock: Clock,
  log: Log,
): EventSource => {
  const underWay = new Set<Promise<void>>();
  let receiving: Promise<void> | undefined;
  /** Whether there may be a message that was not looked for. */
  let asked = false;
  let open = false;
  let cancelTimer = () => {};

  const mayReceive = () => open && asked && underWay.size < maximumConcurrency;

  const tell = (error: unknown) => log('queues', `${queue.name}: ${error instanceof Error ? error.message : error}`);

  const wakeAfter = (milliseconds: number) => {
    cancelTimer();
    cancelTimer = clock.after(milliseconds, wake);
  };

  const deliver = async (messages: readonly ReceivedMessage[]) => {
    const result = await invoke(functionArn, toEvent(queue, messages));
    if (!result.ok) return;
    const done = doneOf(messages, result.payload);
    for (const { receiptHandle } of done) await queues.remove(queue.name, receiptHandle);
  };

  const begin = (messages: readonly ReceivedMessage[]) => {
    // What could not be removed comes again.
    const delivery = deliver(messages).catch(tell);
    underWay.add(delivery);
    void delivery.then(() => {
      underWay.delete(delivery);
      wake();
    });
  };

  const receive = async () => {
    const messages = await queues.receive(queue, { max: batchSize }, clock.now());
    if (messages.length > 0) {
      begin(messages);
      asked = true;
      return;
    }
    const dueAt = await queues.nextDueAt(queue.name);
    if (dueAt === undefined) return;
    const left = dueAt - clock.now();
    if (left > 0) wakeAfter(Math.min(left, longestWait));
    else asked = true;
  };

  const receiveAll = async () => {
    while (mayReceive()) {
      asked = false;
      try {
        await receive();
      } catch (error) {
        tell(error);
        wakeAfter(patience);
      }
    }
    receiving = undefined;
  };

  const wake = () => {
    asked = true;
    if (!receiving && mayReceive()) receiving = receiveAll();
  };

  return {
    start: () => {
      open = true;
      wake();
    },
    wake,
    close: async () => {
      open = false;
      await receiving;
      cancelTimer();
      await Promise.all(underWay);
    },
  };
};
