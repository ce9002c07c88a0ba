import middy from '@middy/core';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import * as v from 'valibot';
import { storedContact } from '../contacts/contact.ts';
import { announced, contactsTable, listedAtOf } from '../contacts/contacts-table.ts';
import { describeError, log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import { parseUuid } from '../shared/uuid.ts';
import { type Conditions, unmetConditions } from './conditions.ts';
import { confirmationQueue, type TargetMessage } from './target.ts';

const { listIndex, listPartitions, confirmation } = contactsTable;

/** A string attribute: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_AttributeValue.html */
const stringAttribute = v.object({ S: v.string() });

/** An item of strings. What is none stays as it is, and no rule of a contact request accepts it. */
const item = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((image) =>
    Object.fromEntries(
      Object.entries(image).map(([name, value]) => [name, v.is(stringAttribute, value) ? value.S : value]),
    ),
  ),
);

const time = v.pipe(
  v.string(),
  v.check((value) => !Number.isNaN(Date.parse(value))),
);

/**
 * The records of the contacts table's stream, with new images. The event source's filter passes no removals, and spam only if
 * a target wants it.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
const streamEvent = v.object({
  Records: v.array(v.object({ eventName: v.string(), dynamodb: v.looseObject({ SequenceNumber: v.string() }) })),
});

const change = v.object({
  /** In seconds since 1970. */
  ApproximateCreationDateTime: v.optional(v.number(), 0),
  NewImage: v.pipe(
    item,
    v.object({
      ...storedContact.entries,
      id: v.pipe(
        v.string(),
        v.check((id) => parseUuid(id) === id),
      ),
      createdAt: time,
      releasedAt: v.exactOptional(time),
      announced,
      [listIndex.partitionKey]: v.string(),
      [confirmation.attribute]: v.exactOptional(v.string()),
    }),
  ),
});

/** Milliseconds. Items that entered the list earlier were restored or copied. */
const newFor = 60 * 60 * 1000;

/** Milliseconds from the arrival of a contact request to its write, at most. */
const storedWithin = 60 * 1000;

interface FanOutOptions {
  /** The conditions of the targets, by their names. */
  readonly targets: ReadonlyMap<string, Conditions>;
  /** Visitors get confirmations, by a queue named `confirmationQueue`. @defaultValue false */
  readonly confirms?: boolean;
  /** Puts a message into its target's queue; rejects with an SDK error. */
  readonly send: (message: TargetMessage) => Promise<void>;
  readonly count: CountMetric;
}

/**
 * Sends a message to each matching target's queue for each contact request that is new in the list (docs/notifications.md). Lambda
 * retries from the first failed record, so a target may get a message twice.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export const fanOut = ({ targets, confirms = false, send, count }: FanOutOptions) => {
  const sendTo = async (message: TargetMessage) => {
    try {
      await send(message);
    } catch (error) {
      // Someone deleted the queue. Retries would not end, and each would send to the other targets again.
      if (!(error instanceof Error) || error.name !== 'QueueDoesNotExist') throw error;
      const { target, id: contactId } = message;
      log('error', 'queue missing', { target, contactId });
      count('NotificationsFailed', { target });
    }
  };

  const take = async (record: unknown, isNew: boolean): Promise<void> => {
    const result = v.safeParse(change, record);
    if (!result.success) {
      // Someone wrote such an item by hand. Retrying it would delay all later ones for hours.
      log('error', 'unreadable stream record');
      count('UnreadableItems');
      return;
    }
    const { ApproximateCreationDateTime: writtenAt, NewImage: contact } = result.output;
    const { id } = contact;
    const listedAt = listedAtOf(contact);
    if (contact.announced === listedAt || Date.parse(listedAt) < writtenAt * 1000 - newFor) {
      log('info', 'notification skipped', { contactId: id, reason: 'not new' });
      return;
    }
    const isSpam = contact[listIndex.partitionKey] === listPartitions.spam;
    const matching = [...unmetConditions(targets, contact, isSpam)].filter(([, unmet]) => unmet === undefined);
    // Only when it is stored: nothing that staff do to it later, such as a release or a copy, makes another confirmation.
    const isStored = isNew && writtenAt * 1000 < Date.parse(contact.createdAt) + storedWithin;
    const isConfirmed = confirms && isStored && !isSpam && contact[confirmation.attribute] === confirmation.due;
    const queues = [...matching.map(([target]) => target), ...(isConfirmed ? [confirmationQueue] : [])];
    await Promise.all(queues.map((target) => sendTo({ target, id, listedAt })));
  };

  return middy<unknown, DynamoDBBatchResponse>().handler(async (event): Promise<DynamoDBBatchResponse> => {
    const parsed = v.safeParse(streamEvent, event);
    // Lambda logs all properties of an error, and valibot's error holds the event.
    if (!parsed.success) throw new Error('Not an event of a DynamoDB stream');
    for (const { eventName, dynamodb } of parsed.output.Records) {
      try {
        await take(dynamodb, eventName === 'INSERT');
      } catch (error) {
        log('error', 'fan-out failed', describeError(error));
        return { batchItemFailures: [{ itemIdentifier: dynamodb.SequenceNumber }] };
      }
    }
    return { batchItemFailures: [] };
  });
};
