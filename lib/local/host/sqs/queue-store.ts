import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Database, Operation, Range, Stored } from '../dynamodb/database.ts';
import type { QueueDefinition } from '../template/definitions.ts';

const attributeSchema = v.object({
  DataType: v.string(),
  StringValue: v.optional(v.string()),
  BinaryValue: v.optional(v.string()),
});

/** The attributes of a message, by name, as the SQS API has them. */
export const attributesSchema = v.record(v.string(), attributeSchema);

export type MessageAttributes = v.InferOutput<typeof attributesSchema>;

/** A message, as it is kept. All times are in milliseconds since the epoch. */
const messageSchema = v.object({
  id: v.string(),
  /** Its key in the queue: in the order in which messages came. */
  place: v.string(),
  body: v.string(),
  attributes: attributesSchema,
  sentAt: v.number(),
  /** How often it was received, of all queues that it was in. */
  receives: v.number(),
  firstReceivedAt: v.optional(v.number()),
  lastReceivedAt: v.optional(v.number()),
  /** From when on it can be received: 0 until it was, and whatever the time. */
  dueAt: v.number(),
  /** The queue that gave it up. */
  deadLetterSourceArn: v.optional(v.string()),
});

export type Message = Readonly<v.InferOutput<typeof messageSchema>>;

/** A message that nobody else gets until its visibility timeout ends. */
export interface ReceivedMessage extends Message {
  readonly receiptHandle: string;
}

/** How many messages are asked for, and for how long nobody else gets them: as long as the queue says, if it is not said. */
interface Asked {
  readonly max: number;
  readonly visibilitySeconds?: number | undefined;
}

/** What cannot be done with a receipt handle. */
export type HandleFault = 'no handle' | 'not in flight' | 'too long';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html */
const maxVisibilityMilliseconds = 43_200_000;

const prefix = 'queue-';
const messagesOf = (queue: string) => `${prefix}message~${queue}~`;
const dueOf = (queue: string) => `${prefix}due~${queue}~`;

/** Of equal length, so that they sort as the numbers do. */
const digits = (number: number) => String(number).padStart(15, '0');

const below = (start: string): Range => ({ gte: start, lt: `${start}\x7f` });

const dueKey = (queue: string, { dueAt, place }: Message) => `${dueOf(queue)}${digits(dueAt)}~${place}`;

const put = (queue: string, message: Message): Operation[] => [
  { type: 'put', key: messagesOf(queue) + message.place, value: message },
  { type: 'put', key: dueKey(queue, message), value: {} },
];

const remove = (queue: string, message: Message): Operation[] => [
  { type: 'del', key: messagesOf(queue) + message.place },
  { type: 'del', key: dueKey(queue, message) },
];

const handleOf = (queue: string, { place, receives }: Message) =>
  Buffer.from(`${queue}/${place}/${receives}`).toString('base64');

const readHandle = (queue: string, receiptHandle: string) => {
  const [, of, place, receives] =
    /^([\w-]+)\/([\w~-]+)\/(\d+)$/.exec(Buffer.from(receiptHandle, 'base64').toString()) ?? [];
  return of === queue && place !== undefined ? { place, receives: Number(receives) } : undefined;
};

/** Runs what it is given one after the other. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(act: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(act);
    last = turn.catch(() => {});
    return turn;
  };
};

/** The place of the next message: none of another process has it, whatever its clock says. */
const createPlaces = () => {
  let count = 0;
  return (sentAt: number, id: string) => {
    count += 1;
    return `${digits(sentAt)}~${digits(count)}~${id}`;
  };
};

/**
 * The queues of Amazon SQS, standard ones, in the embedded store's database: beside what dynalite keeps, under keys that
 * it does not look at. Each message is two entries, itself and one in the order in which messages are due, so that
 * nothing of a queue is in memory. A `now` is the host's time.
 * @param arrived is told of a queue in which a message may be received now, or at another time than before
 */
export const createQueueStore = (database: Database, arrived: (queue: string) => void) => {
  const inTurn = createTurns();
  const nextPlace = createPlaces();

  const toMessage = (body: string, attributes: MessageAttributes, sentAt: number): Message => {
    const id = randomUUID();
    return { id, place: nextPlace(sentAt, id), body, attributes, sentAt, receives: 0, dueAt: 0 };
  };

  const read = (stored: Stored | undefined) => (stored === undefined ? undefined : v.parse(messageSchema, stored));

  /** The first entries in the order in which they are due, up to a time. */
  const findDue = async (queue: string, until: number, count: number) => {
    const keys: string[] = [];
    for await (const key of database.keys({ gte: dueOf(queue), lt: `${dueOf(queue)}${digits(until + 1)}` })) {
      keys.push(key);
      if (keys.length === count) break;
    }
    return keys;
  };

  const placeIn = (queue: string, key: string) => key.slice(dueOf(queue).length + digits(0).length + 1);
  const dueAtIn = (queue: string, key: string) => Number(key.slice(dueOf(queue).length).slice(0, digits(0).length));

  /** What becomes of a message that is due. @returns what is written, and the message if it is given to who asks */
  const take = (queue: QueueDefinition, message: Message, visibilitySeconds: number, now: number) => {
    const removed = remove(queue.name, message);
    if (message.sentAt + queue.retentionSeconds * 1000 <= now) return { operations: removed };
    if (queue.redrive && message.receives >= queue.redrive.maxReceiveCount) {
      const moved = { ...message, dueAt: 0, deadLetterSourceArn: queue.arn };
      return { operations: [...removed, ...put(queue.redrive.deadLetters, moved)], movedTo: queue.redrive.deadLetters };
    }
    const taken: Message = {
      ...message,
      receives: message.receives + 1,
      firstReceivedAt: message.firstReceivedAt ?? now,
      lastReceivedAt: now,
      dueAt: now + visibilitySeconds * 1000,
    };
    return { operations: [...removed, ...put(queue.name, taken)], taken };
  };

  const receive = async (
    queue: QueueDefinition,
    { max, visibilitySeconds = queue.visibilityTimeoutSeconds }: Asked,
    now: number,
  ): Promise<ReceivedMessage[]> => {
    for (;;) {
      const keys = await findDue(queue.name, now, max);
      if (keys.length === 0) return [];
      const places = keys.map((key) => placeIn(queue.name, key));
      const stored = await database.getMany(places.map((place) => messagesOf(queue.name) + place));
      const results = stored.map((value, at) => {
        const message = read(value);
        const key = keys[at] ?? '';
        return message ? take(queue, message, visibilitySeconds, now) : { operations: [{ type: 'del' as const, key }] };
      });
      await database.write(results.flatMap(({ operations }) => operations));
      for (const result of results) if ('movedTo' in result) arrived(result.movedTo);
      const received = results.flatMap((result) => ('taken' in result ? [result.taken] : []));
      // Those that were too old, or received too often, may stand before others.
      if (received.length > 0) {
        return received.map((message) => ({ ...message, receiptHandle: handleOf(queue.name, message) }));
      }
    }
  };

  /** The message of a handle, if that is of its last receive. */
  const findHandled = async (queue: string, receiptHandle: string) => {
    const handle = readHandle(queue, receiptHandle);
    if (!handle) return { fault: 'no handle' as const };
    const message = read(await database.get(messagesOf(queue) + handle.place));
    return { message: message?.receives === handle.receives ? message : undefined };
  };

  const send = async (queue: string, body: string, attributes: MessageAttributes, now: number): Promise<string> => {
    const message = toMessage(body, attributes, now);
    await database.write(put(queue, message));
    arrived(queue);
    return message.id;
  };

  const nextDueAt = async (queue: string): Promise<number | undefined> => {
    const [key] = await findDue(queue, 10 ** 14, 1);
    return key === undefined ? undefined : dueAtIn(queue, key);
  };

  const removeHandled = async (queue: string, receiptHandle: string): Promise<HandleFault | undefined> => {
    const { fault, message } = await findHandled(queue, receiptHandle);
    if (message) await database.write(remove(queue, message));
    return fault;
  };

  const changeVisibility = async (
    queue: string,
    receiptHandle: string,
    { seconds, now }: { readonly seconds: number; readonly now: number },
  ): Promise<HandleFault | undefined> => {
    const { fault, message } = await findHandled(queue, receiptHandle);
    if (fault) return fault;
    if (!message || message.dueAt <= now) return 'not in flight';
    const dueAt = now + seconds * 1000;
    if (dueAt - (message.lastReceivedAt ?? now) > maxVisibilityMilliseconds) return 'too long';
    await database.write([...remove(queue, message), ...put(queue, { ...message, dueAt })]);
    arrived(queue);
    return undefined;
  };

  const count = async (queue: string, now: number) => {
    let [visible, inFlight] = [0, 0];
    for await (const key of database.keys(below(dueOf(queue)))) {
      if (dueAtIn(queue, key) <= now) visible += 1;
      else inFlight += 1;
    }
    return { visible, inFlight };
  };

  /** A queue that nobody receives from, as that of dead letters, has no other end of what is too old. */
  const removeOld = async ({ name, retentionSeconds }: QueueDefinition, now: number) => {
    const oldest = digits(Math.max(0, now - retentionSeconds * 1000));
    for await (const stored of database.values({ gte: messagesOf(name), lt: messagesOf(name) + oldest })) {
      await database.write(remove(name, v.parse(messageSchema, stored)));
    }
  };

  return {
    /** What makes a message of it, in a write that has more in it. */
    toOperations: (queue: string, body: string, now: number): readonly Operation[] =>
      put(queue, toMessage(body, {}, now)),

    /** Removes the messages of every other queue, and those that are too old. @returns how many were of others */
    tidy: async (queues: readonly QueueDefinition[], now: number): Promise<number> => {
      for (const queue of queues) await removeOld(queue, now);
      const kept = queues.flatMap(({ name }) => [messagesOf(name), dueOf(name)]);
      let removed = 0;
      for await (const key of database.keys(below(prefix))) {
        if (kept.some((start) => key.startsWith(start))) continue;
        await database.write([{ type: 'del', key }]);
        if (key.startsWith(`${prefix}message~`)) removed += 1;
      }
      return removed;
    },

    /** What is asked from another thread. */
    calls: {
      /** @returns the message's id */
      send,
      /** Gives messages that are due, which nobody else gets for so many seconds. */
      receive: (queue: QueueDefinition, asked: Asked, now: number) => inTurn(() => receive(queue, asked, now)),
      /** When the next message can be received, if there is one. */
      nextDueAt,
      /** A message that is gone, or was received anew, is no fault. */
      remove: (queue: string, receiptHandle: string) => inTurn(() => removeHandled(queue, receiptHandle)),
      /** From now on nobody gets it for so many seconds. */
      changeVisibility: (queue: string, receiptHandle: string, seconds: number, now: number) =>
        inTurn(() => changeVisibility(queue, receiptHandle, { seconds, now })),
      /** How many messages there are to receive, and how many others. */
      count,
    },
  };
};

/** The queues of a data directory. */
export type QueueStore = ReturnType<typeof createQueueStore>;

/** What is asked of them from another thread. */
export type QueueCalls = QueueStore['calls'];
