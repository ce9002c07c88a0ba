import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { StoreCalls } from '../store/store-worker.ts';
import type { QueueDefinition } from '../template/queue-definition.ts';
import { fault, notServed, type ServiceCall } from './service-call.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const inputSchema = v.strictObject({
  QueueUrl: v.string(),
  MessageBody: v.pipe(v.string(), v.minLength(1), v.maxBytes(1_048_576)),
});

/** What functions use of Amazon SQS: to send a message to one of the template's queues. */
export const createSqs =
  (queues: readonly QueueDefinition[], { sendMessage }: Pick<StoreCalls, 'sendMessage'>, clock: Clock): ServiceCall =>
  async (target, body) => {
    if (target !== 'AmazonSQS.SendMessage') return notServed(target);
    const input = v.safeParse(inputSchema, body);
    if (!input.success) {
      return fault(400, 'InvalidParameterValue', `${v.getDotPath(input.issues[0])}: ${input.issues[0].message}`);
    }
    // As the SDK does, by the end of the URL: the host may be called otherwise.
    const { QueueUrl, MessageBody } = input.output;
    const queue = queues.find(({ name }) => QueueUrl.endsWith(`/${name}`));
    if (!queue) return fault(400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    const MessageId = await sendMessage(queue.name, MessageBody, clock.now());
    const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
    return { status: 200, body: { MessageId, MD5OfMessageBody } };
  };
