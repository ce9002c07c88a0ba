import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { QueueDefinition } from '../template/definitions.ts';
import { awsError, type ServiceCall, unsupported } from './service-call.ts';

/** Puts a message into a queue. @returns the message's id */
export type SendMessage = (queueName: string, body: string, now: number) => Promise<string>;

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const sendMessageSchema = v.strictObject({ QueueUrl: v.string(), MessageBody: v.pipe(v.string(), v.minLength(1)) });

/** The operation SendMessage of Amazon SQS, for the template's queues. */
export const createSqs =
  (queues: readonly QueueDefinition[], sendMessage: SendMessage, clock: Clock): ServiceCall =>
  async (target, body) => {
    const input = v.safeParse(sendMessageSchema, body);
    if (target !== 'AmazonSQS.SendMessage' || !input.success) return unsupported(target);
    const { QueueUrl, MessageBody } = input.output;
    const queue = queues.find(({ name }) => QueueUrl.endsWith(`/${name}`));
    if (!queue) return awsError(400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    const MessageId = await sendMessage(queue.name, MessageBody, clock.now());
    // The SDK verifies it.
    const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
    return { status: 200, body: { MessageId, MD5OfMessageBody } };
  };
