import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { makeClient } from '../../aws/client.ts';
import { printJson } from '../command-line/json.ts';
import { sayAmid, withProgress } from '../command-line/progress.ts';
import { printTable } from '../command-line/table.ts';
import { count, printable } from '../command-line/text.ts';
import type { NotificationsStaff } from '../context.ts';
import { persist } from '../tables/persist.ts';
import { askedOf, type DeadLetter, readDeadLetter } from './dead-letter.ts';
import type { Target } from './notifications.ts';
import { openTally, type Tally } from './redrive-tally.ts';

/** As many as SQS gives at once, and how long it looks for the first, in seconds. */
const [batchSize, longPoll] = [10, 1];

/** How long nobody else sees what was received, in seconds: longer than all attempts to send and to delete it. */
const hiddenFor = 15 * 60;

interface DeadLetters {
  /** Some that were not received yet, or none. */
  receive(): Promise<readonly DeadLetter[]>;
  /** Has its target told it once more, and only then takes it out. */
  sendAgain(letter: DeadLetter, target: Target): Promise<void>;
  /** Lets others see it at once. */
  giveFree(receipt: string): Promise<void>;
}

const openDeadLetters = (staff: NotificationsStaff, client: SQSClient): DeadLetters => {
  const { notifications } = staff;
  const QueueUrl = notifications.deadLetters;
  // What was sent is taken out after Ctrl-C, too: else it would be sent once more the next time.
  const throughout = { ...staff, signal: new AbortController().signal };
  return {
    receive: async () => {
      let attempts = 0;
      const { Messages: messages = [], $metadata } = await persist(staff, () => {
        attempts += 1;
        return client.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: batchSize,
            WaitTimeSeconds: longPoll,
            VisibilityTimeout: hiddenFor,
            MessageSystemAttributeNames: [...askedOf.MessageSystemAttributeNames],
            MessageAttributeNames: [...askedOf.MessageAttributeNames],
          }),
        );
      });
      if (attempts > 1 || ($metadata.attempts ?? 1) > 1) {
        sayAmid(
          staff,
          `An answer of the queue may be lost, with up to ${batchSize} messages in it: they are there again in ${hiddenFor / 60} minutes.`,
        );
      }
      return messages.map((message) => readDeadLetter(message, notifications.targets));
    },
    sendAgain: async ({ receipt, body }, { queue }) => {
      await persist(throughout, () => client.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: body })));
      await persist(throughout, () => client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receipt })));
    },
    giveFree: async (receipt) => {
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: receipt, VisibilityTimeout: 0 }));
    },
  };
};

/**
 * Goes through the dead letters once.
 * @param tally is told what became of each
 * @throws what AWS keeps failing with; what Ctrl-C aborts with
 */
const goThrough = async (staff: NotificationsStaff, letters: DeadLetters, tally: Tally): Promise<void> => {
  const { now: begin } = staff;
  // The receipts of those that stay, by their ids.
  const staying = new Map<string, string>();
  const lookAt = async (letter: DeadLetter) => {
    const wasSeen = staying.has(letter.id);
    staying.set(letter.id, letter.receipt);
    if (letter.of && 'target' in letter.of && letter.sentAt <= begin) {
      await letters.sendAgain(letter, letter.of.target);
      staying.delete(letter.id);
      tally.sent(letter.of.target.name, letter);
    } else if (!wasSeen) tally.left(letter);
  };
  try {
    await withProgress(staff, ['notification', 'sent again'], async (report) => {
      for (;;) {
        const received = await letters.receive();
        if (received.length === 0) return;
        const looked = await Promise.allSettled(received.map(lookAt));
        report(tally.sentInAll());
        const failed = looked.find((one) => one.status === 'rejected');
        if (failed) throw failed.reason;
      }
    });
  } finally {
    // Where that fails, others see it a little later.
    for (const receipt of staying.values()) await letters.giveFree(receipt).catch(() => {});
  }
};

const columns = [{ head: 'TARGET' }, { head: 'SENT' }, { head: 'TRIES' }, { head: 'REASON', shrinks: true }];

/** Sends what was given up to its target once more, and prints how many, how often they were tried, and why they failed. */
export const redrive = async (staff: NotificationsStaff, { json }: { readonly json: boolean }): Promise<void> => {
  const { stderr, notifications, environment, chosenBy } = staff;
  const tally = openTally(chosenBy);
  const client = makeClient(SQSClient, { ...notifications.aws, maxAttempts: 3 });
  let failure: unknown;
  try {
    await goThrough(staff, openDeadLetters(staff, client), tally);
  } catch (error) {
    failure = error;
  } finally {
    client.destroy();
  }

  if (json) await printJson(staff, { environment, time: notifications.now().toISOString(), ...tally.toJson() });
  else if (tally.sentInAll() > 0) await printTable(staff, columns, [tally.toRows()]);
  const left = tally.linesOfLeft();
  for (const line of left) stderr.write(`${printable(line)}\n`);
  if (failure) throw failure;
  if (json) return;
  const isNothing = tally.sentInAll() === 0 && left.length === 0;
  stderr.write(
    isNothing ? 'There is nothing to send again.\n' : `Sent ${count(tally.sentInAll(), 'notification')} again.\n`,
  );
};
