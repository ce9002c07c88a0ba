import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import type { Invoke } from '../lambda/function-pool.ts';
import type { Message } from '../store/queues.ts';
import type { Store } from '../store/store.ts';
import { type QueueSource, type StreamSource, streamSourceName } from '../template/event-sources.ts';
import type { Template } from '../template/template.ts';
import { createEventSource, type EventSource, type NextDelivery } from './event-source.ts';

interface DeliveryParts {
  readonly store: Pick<Store, 'calls' | 'onArrival'>;
  readonly invoke: Invoke;
  readonly clock: Clock;
  readonly log: Log;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting */
const reportSchema = v.nullish(
  v.object({ batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.string() })), []) }),
  {},
);

/**
 * Invokes a function with a batch.
 * @param idOf gives the id of a part in the function's report
 * @param reports whether the function reports anything
 * @returns the failed parts: all of them after an error, a malformed report or one with an unknown id
 */
const invokeWith = async <Part>(
  invoke: Invoke,
  functionArn: string,
  {
    event,
    parts,
    idOf,
    reports = true,
  }: { event: object; parts: readonly Part[]; idOf: (part: Part) => string; reports?: boolean },
): Promise<readonly Part[]> => {
  const result = await invoke(functionArn, event);
  if (result.ok && !reports) return [];
  const report = v.safeParse(reportSchema, result.ok ? result.payload : false);
  if (!report.success) return parts;
  const named = new Set(report.output?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  const failed = parts.filter((part) => named.has(idOf(part)));
  return failed.length === named.size ? failed : parts;
};

/** Delivers a stream in its order. Later records wait for a failed one. */
const createStreamSource = (source: StreamSource, { store, invoke, clock, log }: DeliveryParts): EventSource => {
  const find = async (): Promise<NextDelivery> => {
    const records = await store.calls.readRecords(source);
    if (records.length === 0) return {};
    const deliver = async () => {
      const [firstFailed] = await invokeWith(invoke, source.functionArn, {
        event: { Records: records },
        parts: records,
        idOf: ({ dynamodb }) => dynamodb.SequenceNumber,
        reports: source.reportsFailures,
      });
      const lastDone = records[firstFailed ? records.indexOf(firstFailed) - 1 : records.length - 1];
      if (lastDone) await store.calls.removeRecords(source, lastDone);
      if (firstFailed) throw new Error('records wait for one that failed');
    };
    return { deliver };
  };
  const report = (error: unknown) =>
    log('streams', `${source.tableName}: ${error instanceof Error ? error.message : error}`);
  return createEventSource({ concurrency: 1, find, report }, clock);
};

/**
 * The event of a queue. It has only the parts that the service reads.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event
 */
const toQueueEvent = ({ id, body, sentAt, receives }: Message) => ({
  Records: [
    {
      messageId: id,
      body,
      attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(sentAt) },
    },
  ],
});

/** Delivers the messages of a queue. A failed one stays there until its visibility timeout ends. */
const createQueueSource = (source: QueueSource, { store, invoke, clock, log }: DeliveryParts): EventSource => {
  const { queue, functionArn, maximumConcurrency } = source;
  const find = async () => {
    const { message, ...next } = await store.calls.receiveMessage(queue, clock.now());
    if (!message) return next;
    const deliver = async () => {
      const event = toQueueEvent(message);
      const failed = await invokeWith(invoke, functionArn, { event, parts: [message], idOf: ({ id }) => id });
      if (failed.length === 0) await store.calls.removeMessage(message.id);
    };
    return { deliver };
  };
  const report = (error: unknown) => log('queues', `${queue.name}: ${error instanceof Error ? error.message : error}`);
  return createEventSource({ concurrency: maximumConcurrency, find, report }, clock);
};

/** What is not delivered yet. */
export interface Undelivered {
  /** When the oldest record or message that is still tried came, in milliseconds since the epoch. */
  readonly oldestAt?: number;
  /** How many messages are tried no longer. */
  readonly deadLetters: number;
}

/** Delivers the records of streams and the messages of queues to functions. No source waits for another. */
export const createDelivery = (
  { streamSources, queueSources }: Pick<Template, 'streamSources' | 'queueSources'>,
  parts: DeliveryParts,
) => {
  const enabled = <Source extends { readonly enabled: boolean }>(sources: readonly Source[]) =>
    sources.filter((source) => source.enabled);
  const sources = [
    ...enabled(streamSources).map((source) => ({
      name: streamSourceName(source),
      ...createStreamSource(source, parts),
    })),
    ...enabled(queueSources).map((source) => ({ name: source.queue.name, ...createQueueSource(source, parts) })),
  ];
  parts.store.onArrival((arrived) => {
    for (const { name, wake } of sources) if (name === arrived) wake();
  });
  return {
    /** Begins with the stored records and messages. */
    start: (): void => {
      for (const { start } of sources) start();
    },
    undelivered: async (): Promise<Undelivered> => {
      const backlogs = await parts.store.calls.readBacklogs();
      const tried = new Set(sources.map(({ name }) => name));
      const dead = new Set(queueSources.map(({ queue }) => queue.redrive?.deadLetters));
      const oldest = backlogs.filter(({ name }) => tried.has(name)).map(({ oldestAt }) => oldestAt);
      return {
        ...(oldest.length > 0 && { oldestAt: Math.min(...oldest) }),
        deadLetters: backlogs.filter(({ name }) => dead.has(name)).reduce((sum, { messages }) => sum + messages, 0),
      };
    },
    /** Begins no more invocations, and waits for those under way. */
    close: async (): Promise<void> => {
      await Promise.all(sources.map(({ close }) => close()));
    },
  };
};
