import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { QueueDefinition } from '../template/definitions.ts';
import type { Database } from './database.ts';

/** A message that nobody else receives until its visibility timeout ends. All times are in milliseconds since the epoch. */
const messageSchema = v.object({
  id: v.string(),
  body: v.string(),
  sentAt: v.number(),
  /** How often it was received, of all queues that it was in. */
  receives: v.number(),
});

export type Message = Readonly<v.InferOutput<typeof messageSchema>>;

export interface ReceivedMessage {
  readonly messages: readonly Message[];
  /** When the next message can be received, if there is one. */
  readonly nextDueAt?: number;
}

/**
 * Standard queues of Amazon SQS.
 * @param arrived gets the name of a queue that has a new message
 * @param report gets a line about messages that become dead letters
 */
export const createQueues = (
  { sql, write }: Database,
  arrived: (queue: string) => void,
  report: (line: string) => void,
) => {
  const insert = sql.prepare('INSERT INTO messages (queue, id, body, sent_at) VALUES (?, ?, ?, ?)');
  const dueNext = sql.prepare('SELECT min(due_at) AS dueAt FROM messages WHERE queue = ?');
  const removeOld = sql.prepare('DELETE FROM messages WHERE queue = ? AND sent_at <= ?');
  const giveUp = sql.prepare(
    'UPDATE messages SET queue = ?, due_at = 0 WHERE queue = ? AND due_at <= ? AND receives >= ?',
  );
  const take = sql.prepare(`
    UPDATE messages
    SET receives = receives + 1, due_at = ?
    WHERE number IN (SELECT number FROM messages WHERE queue = ? AND due_at <= ? ORDER BY due_at, number LIMIT ?)
    RETURNING number, id, body, sent_at AS sentAt, receives`);
  const remove = sql.prepare('DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))');
  const others = sql.prepare('DELETE FROM messages WHERE queue NOT IN (SELECT value FROM json_each(?))');
  const showAll = sql.prepare('UPDATE messages SET due_at = 0 WHERE due_at > 0');

  const expire = ({ name, retentionSeconds }: QueueDefinition, now: number) =>
    removeOld.run(name, now - retentionSeconds * 1000);

  const receive = (queue: QueueDefinition, max: number, now: number): readonly Message[] => {
    const { name, redrive, visibilityTimeoutSeconds } = queue;
    expire(queue, now);
    if (redrive) {
      const { changes } = giveUp.run(redrive.deadLetters, name, now, redrive.maxReceiveCount);
      if (changes)
        report(`${name}: moved ${changes} messages to ${redrive.deadLetters} after ${redrive.maxReceiveCount} tries`);
    }
    return take
      .all(now + visibilityTimeoutSeconds * 1000, name, now, max)
      .toSorted((a, b) => Number(a['number']) - Number(b['number']))
      .map((row) => v.parse(messageSchema, row));
  };

  /** When a message of a queue is due next. */
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

    /** Receives messages that are due; those that were received too often or are too old leave the queue. */
    receive: async (queue: QueueDefinition, max: number, now: number): Promise<ReceivedMessage> => {
      const { nextDueAt } = findNextDue(queue.name);
      const isDue = nextDueAt !== undefined && nextDueAt <= now;
      const messages = isDue ? await write(() => receive(queue, max, now)) : [];
      return { messages, ...findNextDue(queue.name) };
    },

    /** Removes messages. */
    remove: (ids: readonly string[]): Promise<void> => write(() => void remove.run(JSON.stringify(ids))),

    /**
     * Begins with these queues, and removes the messages of others and those that are too old. Nobody works on a message that
     * was received before the store was opened: it is due at once.
     * @returns how many were of others
     */
    begin: (queues: readonly QueueDefinition[], now: number): number => {
      for (const queue of queues) expire(queue, now);
      showAll.run();
      return Number(others.run(JSON.stringify(queues.map(({ name }) => name))).changes);
    },
  };
};

export type Queues = ReturnType<typeof createQueues>;
