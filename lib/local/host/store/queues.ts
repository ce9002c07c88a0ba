import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { QueueDefinition } from '../template/definitions.ts';
import type { Database } from './database.ts';

/** A received message. All times are in milliseconds since the epoch. */
const messageSchema = v.object({
  id: v.string(),
  body: v.string(),
  sentAt: v.number(),
  /** How often it was received, in all its queues. */
  receives: v.number(),
});

export type Message = Readonly<v.InferOutput<typeof messageSchema>>;

/** What waits in a queue, or for a source of a stream. */
export interface Backlog {
  /** The name of the queue or source. */
  readonly name: string;
  /** When the first message or record came, in milliseconds since the epoch. */
  readonly oldestAt: number;
  /** Of a queue. */
  readonly messages: number;
}

const backlogSchema = v.object({ name: v.string(), oldestAt: v.number(), messages: v.number() });

export interface ReceivedMessage {
  readonly message?: Message;
  /** When the next message is due, if there is one. */
  readonly nextDueAt?: number;
}

/**
 * Standard queues of Amazon SQS.
 * @param arrived called with the name of a queue that has a new message
 * @param report called with a line about new dead letters
 */
export const createQueues = (
  { sql, write }: Database,
  arrived: (queue: string) => void,
  report: (line: string) => void,
) => {
  const insert = sql.prepare('INSERT INTO messages (queue, id, body, sent_at) VALUES (?, ?, ?, ?)');
  const showTooLate = sql.prepare('UPDATE messages SET due_at = 0 WHERE queue = ? AND due_at > ?');
  const dueNext = sql.prepare('SELECT min(due_at) AS dueAt FROM messages WHERE queue = ?');
  // `INDEXED BY` fails if the index is missing or of no use: otherwise each delivery could read all waiting messages.
  const moveToDeadLetters = sql.prepare(`
    UPDATE messages INDEXED BY messages_by_receives
    SET queue = ?, due_at = 0
    WHERE queue = ? AND due_at <= ? AND receives >= ?`);
  const take = sql.prepare(`
    UPDATE messages
    SET receives = receives + 1, due_at = ?
    WHERE number = (SELECT number FROM messages WHERE queue = ? AND due_at <= ? ORDER BY due_at, number LIMIT 1)
    RETURNING id, body, sent_at AS sentAt, receives`);
  const remove = sql.prepare('DELETE FROM messages INDEXED BY messages_by_id WHERE id = ?');
  const removeOthers = sql.prepare('DELETE FROM messages WHERE queue NOT IN (SELECT value FROM json_each(?))');
  const backlogs = sql.prepare(`
    SELECT queue AS name, min(sent_at) AS oldestAt, count(*) AS messages FROM messages GROUP BY queue`);
  const makeAllDue = sql.prepare('UPDATE messages SET due_at = 0 WHERE due_at > 0');

  /** When a message that is received now is due again. No message is due later, unless the clock was set back. */
  const latestDue = ({ visibilityTimeoutSeconds }: QueueDefinition, now: number) =>
    now + visibilityTimeoutSeconds * 1000;

  const receive = (queue: QueueDefinition, now: number): { message?: Message } => {
    const { name, redrive } = queue;
    showTooLate.run(name, latestDue(queue, now));
    if (redrive) {
      const { changes } = moveToDeadLetters.run(redrive.deadLetters, name, now, redrive.maxReceiveCount);
      if (changes)
        report(`${name}: messages moved to ${redrive.deadLetters} after ${redrive.maxReceiveCount} tries: ${changes}`);
    }
    const row = take.get(latestDue(queue, now), name, now);
    return row ? { message: v.parse(messageSchema, row) } : {};
  };

  const findNextDue = (queue: string): { nextDueAt?: number } => {
    const dueAt = dueNext.get(queue)?.['dueAt'];
    return typeof dueAt === 'number' ? { nextDueAt: dueAt } : {};
  };

  return {
    /** Sends a message, within a transaction. @returns its id */
    send: (queue: string, body: string, now: number): string => {
      const id = randomUUID();
      insert.run(queue, id, body, now);
      arrived(queue);
      return id;
    },

    /** Receives a due message. Moves those with too many tries to the dead-letter queue. */
    receive: async (queue: QueueDefinition, now: number): Promise<ReceivedMessage> => {
      const { nextDueAt } = findNextDue(queue.name);
      const isDue = nextDueAt !== undefined && (nextDueAt <= now || nextDueAt > latestDue(queue, now));
      const received = isDue ? await write(() => receive(queue, now)) : {};
      return { ...received, ...findNextDue(queue.name) };
    },

    /** The queues with messages. */
    backlogs: (): readonly Backlog[] => backlogs.all().map((row) => v.parse(backlogSchema, row)),

    remove: (id: string): Promise<void> => write(() => void remove.run(id)),

    /**
     * Opens these queues, and removes messages of other queues. All messages are due at once: the process that received them
     * has ended.
     * @returns how many messages of other queues were removed
     */
    begin: (queues: readonly QueueDefinition[]): number => {
      makeAllDue.run();
      return Number(removeOthers.run(JSON.stringify(queues.map(({ name }) => name))).changes);
    },
  };
};
