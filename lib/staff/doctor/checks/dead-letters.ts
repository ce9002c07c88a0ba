import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { count } from '../../command-line/text.ts';
import { type Check, wrong } from '../check.ts';

/** Looks for notifications that AWS no longer retries. */
export const deadLetters: Check = {
  name: 'dead letters',
  actions: ['sqs:GetQueueAttributes'],
  look: async ({ notifications, client, crcs }) => {
    if (!notifications) return [];
    const messagesIn = async (QueueUrl: string) => {
      const { Attributes: attributes } = await client(SQSClient).send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
      );
      return Number(attributes?.ApproximateNumberOfMessages);
    };
    const [letters, failures] = await Promise.all([
      messagesIn(notifications.deadLetters),
      messagesIn(notifications.fanOutFailures),
    ]);
    return [
      ...(letters > 0
        ? [
            wrong(
              `${count(letters, 'notification')} in the dead-letter queue.`,
              `docs/runbook.md#notification-dead-letters: ${crcs('notifications test')}, then ${crcs('notifications redrive')}`,
            ),
          ]
        : []),
      ...(failures > 0
        ? [
            wrong(
              `The function fan-out failed for a day: some contact requests triggered no notification.`,
              'docs/runbook.md#fan-out-failures',
            ),
          ]
        : []),
    ];
  },
};
