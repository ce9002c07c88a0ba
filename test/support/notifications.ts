import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import type { Deliver } from '../../functions/notify/deliver.ts';
import { type NotifyOptions, notify } from '../../functions/notify/notify.ts';
import type { TargetMessage } from '../../functions/notify/target.ts';
import { LoggableError, type TimeoutAfter } from '../../functions/shared/calls.ts';
import { embeddedMetrics } from '../../functions/shared/metrics.ts';
import { type ContactsService, idIn, startContacts } from './contacts.ts';
import { lambdaContext } from './event.ts';

const client = new DynamoDBClient({ endpoint: String(process.env['AWS_ENDPOINT_URL_DYNAMODB']) });

let sequenceNumber = 0;

/** A stream record with the present item. */
export const recordOf = async (table: string, id: string, writtenAt: Date, eventName = 'INSERT') => {
  const { Item: item } = await client.send(
    new GetItemCommand({ TableName: table, Key: { id: { S: id } }, ConsistentRead: true }),
  );
  sequenceNumber += 1;
  return {
    eventName,
    eventSource: 'aws:dynamodb',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(writtenAt.getTime() / 1000),
      Keys: { id: { S: id } },
      NewImage: item,
      SequenceNumber: String(sequenceNumber),
      StreamViewType: 'NEW_IMAGE',
    },
  };
};

interface Delivery {
  /** @defaultValue 1 */
  readonly tries?: number;
  /** When it was sent to the queue. */
  readonly sentAt: Date;
}

/** The event of a queue's message. */
export const queueEvent = (body: string, { tries = 1, sentAt }: Delivery): SQSEvent => ({
  Records: [
    {
      messageId: 'message',
      receiptHandle: 'handle',
      body,
      attributes: {
        ApproximateReceiveCount: String(tries),
        SentTimestamp: String(sentAt.getTime()),
        SenderId: 'AIDAEXAMPLE',
        ApproximateFirstReceiveTimestamp: String(sentAt.getTime()),
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:queue',
      awsRegion: 'eu-central-1',
    },
  ],
});

/** The responses to the event source: delivered, or try again. */
export const done = { batchItemFailures: [] };
export const again = { batchItemFailures: [{ itemIdentifier: 'message' }] };

/** Never ends. */
export const noTimeout: TimeoutAfter = () => new AbortController().signal;

/** Ends at once. */
export const overAtOnce: TimeoutAfter = () => AbortSignal.abort(new DOMException('over', 'TimeoutError'));

/** Why a delivery failed, as the log would say it; undefined: it succeeded. */
export const failureOf = (delivery: Promise<void>): Promise<string | undefined> =>
  delivery.then(
    () => undefined,
    (error) => {
      if (error instanceof LoggableError) return error.reason;
      throw error;
    },
  );

/** The name of the target. */
export const target = 'Webhook01234567';

interface NotifyService {
  readonly contacts: ContactsService;
  /** Delivers a message of the target's queue. */
  readonly deliver: (message: TargetMessage | string, delivery?: Partial<Delivery>) => Promise<unknown>;
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Posts a contact request. @returns the message about it */
  readonly post: (body?: unknown) => Promise<TargetMessage>;
}

export interface NotifyServiceOptions extends Partial<Omit<NotifyOptions, 'targets'>> {
  readonly deliver: Deliver;
}

/** The function `notify` with one target, and the contact endpoints. */
export const startNotify = async ({ deliver, ...options }: NotifyServiceOptions): Promise<NotifyService> => {
  const now = options.now ?? (() => new Date('2026-03-01T12:00:00.000Z'));
  const contacts = await startContacts(now);
  const handler = notify({
    targets: new Map([[target, deliver]]),
    spamTargets: [],
    store: contacts.store,
    count: embeddedMetrics('test', now),
    timeoutAfter: noTimeout,
    now,
    ...options,
  });
  const invoke = (event: unknown) => handler(event, lambdaContext(30_000));
  return {
    contacts,
    deliver: (message, delivery) =>
      invoke(
        queueEvent(typeof message === 'string' ? message : JSON.stringify(message), { sentAt: now(), ...delivery }),
      ),
    invoke,
    post: async (body = { email: 'ada@example.com', message: 'Hello' }) => ({
      target,
      id: idIn(await contacts.post(body)),
      listedAt: now().toISOString(),
    }),
  };
};
