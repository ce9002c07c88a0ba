import { EventEmitter, once } from 'node:events';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { expect, onTestFinished } from 'vitest';
import { createDelivery } from '../../../../lib/local/host/deliver/delivery.ts';
import type { InvocationResult } from '../../../../lib/local/host/lambda/function-pool.ts';
import { lockStore } from '../../../../lib/local/host/store/store.ts';
import type { QueueDefinition, TableDefinition } from '../../../../lib/local/host/template/definitions.ts';
import type { QueueSource, StreamSource } from '../../../../lib/local/host/template/event-sources.ts';
import { createManualClock } from '../manual-clock.ts';
import { clientOf } from '../test-tables.ts';

const eventSchema = v.object({ Records: v.array(v.record(v.string(), v.unknown())) });

export interface Invocation {
  readonly functionName: string;
  readonly records: readonly Record<string, unknown>[];
}

/** How a function ends. */
type Reaction = 'done' | 'throws' | { readonly responses: unknown };

const toResult = (reaction: Reaction): InvocationResult => {
  if (reaction === 'throws') return { ok: false, errorMessage: 'on purpose' };
  return { ok: true, payload: reaction === 'done' ? null : reaction.responses };
};

/** Functions whose reaction a test chooses. */
export const createFunctions = () => {
  const invocations: Invocation[] = [];
  const events = new EventEmitter();
  let react: (invocation: Invocation) => Reaction | Promise<Reaction> = () => 'done';
  const of = (name: string) => invocations.filter(({ functionName }) => functionName === name);
  return {
    invoke: async (functionName: string, event: unknown): Promise<InvocationResult> => {
      const invocation = { functionName, records: v.parse(eventSchema, event).Records };
      invocations.push(invocation);
      events.emit('invocation');
      return toResult(await react(invocation));
    },
    response: (given: typeof react): void => {
      react = given;
    },
    of,
    /** The invocations of a function, once there are so many. */
    invoked: async (name: string, count: number): Promise<readonly Invocation[]> => {
      while (of(name).length < count) await once(events, 'invocation');
      return of(name);
    },
  };
};

export type Functions = ReturnType<typeof createFunctions>;

const things: TableDefinition = {
  name: 'things',
  streamArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/local',
  shape: {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    GlobalSecondaryIndexes: [],
  },
};

/** Invokes the function `fanOut` with new and changed things of the list `inbox`. */
export const stream = (changes: Partial<StreamSource> = {}): StreamSource => ({
  tableName: things.name,
  functionArn: 'fanOut',
  batchSize: 10,
  reportsFailures: true,
  filters: [{ eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: { list: { S: ['inbox'] } } } }],
  enabled: true,
  ...changes,
});

export const queue = (name: string, changes: Partial<QueueDefinition> = {}): QueueDefinition => ({
  name,
  arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
  visibilityTimeoutSeconds: 90,
  ...changes,
});

/** Invokes the function with the queue's name with its messages. */
export const from = (definition: QueueDefinition, changes: Partial<QueueSource> = {}): QueueSource => ({
  queue: definition,
  functionArn: definition.name,
  maximumConcurrency: 2,
  enabled: true,
  ...changes,
});

interface Sources {
  readonly streams?: readonly StreamSource[];
  readonly queues?: readonly QueueSource[];
  /** Queues without deliveries. */
  readonly otherQueues?: readonly QueueDefinition[];
}

/** Delivers from the store of a data directory, with a manual clock, until the test ends. */
export const startDelivery = async (
  dataDir: string,
  functions: Functions,
  { streams = [], queues = [], otherQueues = [] }: Sources,
) => {
  const clock = createManualClock(Date.now());
  const lines: string[] = [];
  const log = (source: string, line: string) => void lines.push(`${source}: ${line}`);
  const store = await lockStore(dataDir, log);
  const address = await store.open({
    tables: [things],
    streamSources: streams,
    queues: [...queues.map((source) => source.queue), ...otherQueues],
  });
  const template = { streamSources: streams, queueSources: queues };
  const delivery = createDelivery(template, { store, invoke: functions.invoke, clock, log });
  delivery.start();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= delivery.close().then(store.close);
    return closed;
  };
  onTestFinished(close);
  const client = clientOf(address);
  return {
    clock,
    lines,
    close,
    undelivered: delivery.undelivered,
    put: (id: string, list = 'inbox') => client.send(new PutCommand({ TableName: 'things', Item: { id, list } })),
    remove: (id: string) => client.send(new DeleteCommand({ TableName: 'things', Key: { id } })),
    send: (name: string, body: string) => store.calls.sendMessage(name, body, clock.now()),
    /** Receives a due message of a queue. @returns its body */
    receive: async (definition: QueueDefinition) =>
      (await store.calls.receiveMessage(definition, clock.now())).message?.body,
    /** Waits until the only timer ends in so many milliseconds, then ends it. */
    pass: async (milliseconds: number) => {
      await expect.poll(() => clock.timers()).toEqual([milliseconds]);
      clock.advance(milliseconds);
    },
  };
};

const recordSchema = v.object({
  eventName: v.string(),
  dynamodb: v.object({
    NewImage: v.optional(v.object({ id: v.object({ S: v.string() }) })),
    SequenceNumber: v.string(),
  }),
});

/** The changes in a stream's records, such as `INSERT 1`. */
export const changesIn = (invocation: Invocation | undefined): string[] =>
  (invocation?.records ?? []).map((record) => {
    const { eventName, dynamodb } = v.parse(recordSchema, record);
    return `${eventName} ${dynamodb.NewImage?.id.S}`;
  });

/** A response that reports the records with these indexes as failed. */
export const failing = ({ records }: Invocation, ...places: readonly number[]): Reaction => ({
  responses: {
    batchItemFailures: places.map((at) => {
      const record = v.parse(v.union([recordSchema, v.object({ messageId: v.string() })]), records[at]);
      return { itemIdentifier: 'messageId' in record ? record.messageId : record.dynamodb.SequenceNumber };
    }),
  },
});
