import { randomUUID } from 'node:crypto';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { embeddedMetrics } from '../../functions/metrics.ts';
import type { Tell } from '../../functions/notify/notification.ts';
import { type NotifyOptions, notify } from '../../functions/notify/notify.ts';
import { createPost } from '../../functions/notify/post.ts';
import type { GivenUp } from '../../functions/notify/queue.ts';
import type { TimeLimit } from '../../functions/notify/time-limit.ts';
import { type ContactsService, idIn, startContacts } from './contacts.ts';
import { lambdaContext } from './event.ts';

const client = new DynamoDBClient({ endpoint: String(process.env['AWS_ENDPOINT_URL_DYNAMODB']) });

/** What the table's stream says of an item as it is. */
export const recordOf = async (table: string, id: string, writtenAt: Date, eventName = 'INSERT'): Promise<string> => {
  const { Item: item } = await client.send(
    new GetItemCommand({ TableName: table, Key: { id: { S: id } }, ConsistentRead: true }),
  );
  return JSON.stringify({
    eventID: randomUUID(),
    eventName,
    eventSource: 'aws:dynamodb',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(writtenAt.getTime() / 1000),
      Keys: { id: { S: id } },
      NewImage: item,
      StreamViewType: 'NEW_IMAGE',
    },
  });
};

export interface Delivery {
  /** @defaultValue 1 */
  readonly tries?: number;
  /** When the queue handed it over first. */
  readonly since: Date;
}

/** What the queue hands over, as the event source does. */
export const queueEvent = (body: string, { tries = 1, since }: Delivery): SQSEvent => ({
  Records: [
    {
      messageId: 'message',
      receiptHandle: 'handle',
      body,
      attributes: {
        ApproximateReceiveCount: String(tries),
        SentTimestamp: String(since.getTime()),
        SenderId: 'AIDAEXAMPLE',
        ApproximateFirstReceiveTimestamp: String(since.getTime()),
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:queue',
      awsRegion: 'eu-central-1',
    },
  ],
});

/** The answers that the queue understands: done with, or to come again. */
export const done = { batchItemFailures: [] };
export const again = { batchItemFailures: [{ itemIdentifier: 'message' }] };

/** Never over. */
export const noLimit: TimeLimit = () => new AbortController().signal;

/** Over as soon as something waits for it. */
export const overAtOnce: TimeLimit = () => AbortSignal.abort(new DOMException('over', 'TimeoutError'));

export interface Notified {
  readonly contacts: ContactsService;
  /** The seconds that messages were made to wait for. */
  readonly waits: readonly number[];
  readonly givenUp: readonly (GivenUp & { readonly body: string })[];
  /** Hands over a message of the queue. */
  readonly deliver: (body: string, delivery?: Partial<Delivery>) => Promise<unknown>;
  readonly sample: () => Promise<unknown>;
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Posts a contact request. @returns its id, and what the stream says of it */
  readonly posted: (body?: unknown) => Promise<{ id: string; record: string }>;
}

export interface NotifiedOptions extends Partial<Omit<NotifyOptions, 'tell'>> {
  /** Tells by HTTP, if that is how. */
  readonly tell: (post: ReturnType<typeof createPost>, now: () => Date) => Tell;
}

/** The function that tells one target, beside the endpoints that make what there is to tell. */
export const startNotified = async ({ tell, ...options }: NotifiedOptions): Promise<Notified> => {
  const now = options.now ?? (() => new Date('2026-03-01T12:00:00.000Z'));
  const limit = options.limit ?? noLimit;
  const contacts = await startContacts(now);
  const waits: number[] = [];
  const givenUp: (GivenUp & { body: string })[] = [];
  const handler = notify({
    target: 'Webhook01234567',
    tell: tell(createPost(limit, now), now),
    store: contacts.store,
    queue: {
      postpone: async (_, seconds) => {
        waits.push(seconds);
      },
      giveUp: async ({ body }, why) => {
        givenUp.push({ ...why, body });
      },
    },
    count: embeddedMetrics('test', now),
    limit,
    random: () => 1,
    now,
    ...options,
  });
  const invoke = (event: unknown) => handler(event, lambdaContext(30_000));
  return {
    contacts,
    waits,
    givenUp,
    deliver: (body, delivery) => invoke(queueEvent(body, { since: now(), ...delivery })),
    sample: () => invoke({ sample: true }),
    invoke,
    posted: async (body = { email: 'ada@example.com', message: 'Hello' }) => {
      const id = idIn(await contacts.post(body));
      return { id, record: await recordOf(contacts.table, id, now()) };
    },
  };
};
