import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { fanOut } from './notify/fan-out.ts';
import { fanOutSettings } from './notify/notify-settings.ts';
import { confirmationQueue } from './notify/target.ts';
import { withDeadline } from './shared/calls.ts';
import { embeddedMetrics } from './shared/metrics.ts';
import { readVariables } from './shared/variables.ts';

/** Milliseconds to send a message, with the SDK's retries. */
const sendTimeout = 5_000;

const { queues, confirmationQueue: ofConfirmations, environment } = readVariables(fanOutSettings);

// The settings name the queue's endpoint; the URL only names the queue.
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

export const handler = fanOut({
  targets: new Map(Object.entries(queues)),
  confirms: ofConfirmations !== undefined,
  send: async (message) => {
    const command = new SendMessageCommand({
      QueueUrl: message.target === confirmationQueue ? ofConfirmations : queues[message.target]?.url,
      MessageBody: JSON.stringify(message),
    });
    await withDeadline(AbortSignal.timeout(sendTimeout), (abortSignal) => sqs.send(command, { abortSignal }));
  },
  count: embeddedMetrics(environment, () => new Date()),
});
