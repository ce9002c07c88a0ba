import * as v from 'valibot';
import type { ServiceAnswer, ServiceCall } from '../aws/service-call.ts';
import type { Clock } from '../clock.ts';
import { queueUrlOf } from '../template/intrinsics.ts';
import type { QueueDefinition } from '../template/queue-definition.ts';
import { md5, systemAttributes } from './event-source.ts';
import { attributesSchema, type HandleFault, type QueueCalls, type ReceivedMessage } from './queue-store.ts';

const ok = (body: object = {}): ServiceAnswer => ({ status: 200, body });

/** An error as the SDK reads it, also by its older name: https://smithy.io/2.0/aws/protocols/aws-query-protocol.html */
const fault = (type: string, message: string, { status = 400, olderName = type } = {}): ServiceAnswer => ({
  status,
  headers: { 'x-amzn-query-error': `${olderName};Sender` },
  body: { __type: `com.amazonaws.sqs#${type}`, message },
});

const noQueue = fault('QueueDoesNotExist', 'The specified queue does not exist.', {
  olderName: 'AWS.SimpleQueueService.NonExistentQueue',
});

const invalid = (what: string) => fault('InvalidParameterValue', what);

const handleFaults: Readonly<Record<HandleFault, ServiceAnswer>> = {
  'no handle': fault('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.', { status: 404 }),
  'not in flight': invalid(
    'The value for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.',
  ),
  'too long': invalid('Total VisibilityTimeout for the message is beyond the limit [43200 seconds]'),
};

const seconds = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(43_200));

/** The operations' parameters: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_Operations.html */
const schemas = {
  sendMessage: v.strictObject({
    QueueUrl: v.string(),
    MessageBody: v.pipe(v.string(), v.minLength(1), v.maxBytes(1_048_576)),
    MessageAttributes: v.optional(attributesSchema, {}),
  }),
  receiveMessage: v.strictObject({
    QueueUrl: v.string(),
    MaxNumberOfMessages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10)), 1),
    VisibilityTimeout: v.optional(seconds),
    // Nothing else puts messages in while somebody waits: what is not there is told at once.
    WaitTimeSeconds: v.optional(v.number()),
    AttributeNames: v.optional(v.array(v.string()), []),
    MessageSystemAttributeNames: v.optional(v.array(v.string()), []),
    MessageAttributeNames: v.optional(v.array(v.string()), []),
  }),
  handled: v.strictObject({ QueueUrl: v.string(), ReceiptHandle: v.string() }),
  changeMessageVisibility: v.strictObject({
    QueueUrl: v.string(),
    ReceiptHandle: v.string(),
    VisibilityTimeout: seconds,
  }),
  getQueueAttributes: v.strictObject({ QueueUrl: v.string(), AttributeNames: v.optional(v.array(v.string()), []) }),
  getQueueUrl: v.strictObject({ QueueName: v.string(), QueueOwnerAWSAccountId: v.optional(v.string()) }),
};

/** Of the named, or of all of them. */
const chosen = <Value>(all: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.some((each) => ['All', '.*', name].includes(each))));

/** Leaves out what is empty, as SQS does. */
const ifAny = (name: string, values: Readonly<Record<string, unknown>>) =>
  Object.keys(values).length > 0 ? { [name]: values } : {};

const toAnswered = (message: ReceivedMessage, systemNames: readonly string[], names: readonly string[]) => ({
  MessageId: message.id,
  ReceiptHandle: message.receiptHandle,
  Body: message.body,
  MD5OfBody: md5(message.body),
  ...ifAny('Attributes', chosen(systemAttributes(message), systemNames)),
  ...ifAny('MessageAttributes', chosen(message.attributes, names)),
});

const describe = (queue: QueueDefinition, { visible, inFlight }: Awaited<ReturnType<QueueCalls['count']>>) => ({
  ApproximateNumberOfMessages: String(visible),
  ApproximateNumberOfMessagesNotVisible: String(inFlight),
  ApproximateNumberOfMessagesDelayed: '0',
  MessageRetentionPeriod: String(queue.retentionSeconds),
  QueueArn: queue.arn,
  VisibilityTimeout: String(queue.visibilityTimeoutSeconds),
});

/**
 * What of Amazon SQS a function and a command that sends dead letters again have to ask.
 * @param endpoint where it answers
 */
export const createSqs = (
  definitions: readonly QueueDefinition[],
  queues: QueueCalls,
  endpoint: string,
  clock: Clock,
): ServiceCall => {
  const byName = new Map(definitions.map((queue) => [queue.name, queue]));
  /** As the SDK does, by the end of the URL: the host may be called otherwise. */
  const byUrl = (url: string) => byName.get(url.slice(url.lastIndexOf('/') + 1));

  /** An operation on a queue, with its parameters. */
  const onQueue =
    <Input extends { readonly QueueUrl: string }>(
      schema: v.GenericSchema<unknown, Input>,
      act: (queue: QueueDefinition, input: Input) => Promise<ServiceAnswer>,
    ) =>
    async (body: unknown): Promise<ServiceAnswer> => {
      const input = v.safeParse(schema, body);
      if (!input.success) return invalid(`${v.getDotPath(input.issues[0])}: ${input.issues[0].message}`);
      const queue = byUrl(input.output.QueueUrl);
      return queue ? act(queue, input.output) : noQueue;
    };

  const operations = {
    SendMessage: onQueue(schemas.sendMessage, async ({ name }, { MessageBody, MessageAttributes }) => {
      const id = await queues.send(name, MessageBody, MessageAttributes, clock.now());
      return ok({ MessageId: id, MD5OfMessageBody: md5(MessageBody) });
    }),
    ReceiveMessage: onQueue(schemas.receiveMessage, async (queue, input) => {
      const asked = { max: input.MaxNumberOfMessages, visibilitySeconds: input.VisibilityTimeout };
      const messages = await queues.receive(queue, asked, clock.now());
      const systemNames = [...input.AttributeNames, ...input.MessageSystemAttributeNames];
      const answered = messages.map((message) => toAnswered(message, systemNames, input.MessageAttributeNames));
      return ok(answered.length > 0 ? { Messages: answered } : {});
    }),
    DeleteMessage: onQueue(schemas.handled, async ({ name }, { ReceiptHandle }) => {
      const found = await queues.remove(name, ReceiptHandle);
      return found ? handleFaults[found] : ok();
    }),
    ChangeMessageVisibility: onQueue(schemas.changeMessageVisibility, async ({ name }, input) => {
      const { ReceiptHandle, VisibilityTimeout } = input;
      const found = await queues.changeVisibility(name, ReceiptHandle, VisibilityTimeout, clock.now());
      return found ? handleFaults[found] : ok();
    }),
    GetQueueAttributes: onQueue(schemas.getQueueAttributes, async (queue, { AttributeNames }) => {
      const all = describe(queue, await queues.count(queue.name, clock.now()));
      return ok(ifAny('Attributes', chosen(all, AttributeNames)));
    }),
    GetQueueUrl: async (body: unknown) => {
      const input = v.safeParse(schemas.getQueueUrl, body);
      const queue = input.success ? byName.get(input.output.QueueName) : undefined;
      return queue ? ok({ QueueUrl: queueUrlOf(endpoint, queue.name) }) : noQueue;
    },
  };
  const byTarget = new Map(Object.entries(operations).map(([name, operation]) => [`AmazonSQS.${name}`, operation]));

  return async (target, body) => {
    const operation = byTarget.get(target);
    return operation ? operation(body) : fault('UnsupportedOperation', `The local host does not serve ${target}`);
  };
};
