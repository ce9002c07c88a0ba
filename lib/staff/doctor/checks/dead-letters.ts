import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { count } from '../../command-line/text.ts';
import { type Check, wrong } from '../check.ts';

/** Whether somebody was not told of a contact request for good. */
export const deadLetters: Check = {
  name: 'dead letters',
  actions: ['sqs:GetQueueAttributes'],
  look: async ({ notifications, client, crcs }) => {
    if (!notifications) return [];
    const { Attributes: attributes } = await client(SQSClient).send(
      new GetQueueAttributesCommand({
        QueueUrl: notifications.deadLetters,
        AttributeNames: ['ApproximateNumberOfMessages'],
      }),
    );
    const messages = Number(attributes?.ApproximateNumberOfMessages);
    if (messages === 0) return [];
    return [
      wrong(
        `${count(messages, 'notification')} ${messages === 1 ? 'was' : 'were'} given up.`,
        `docs/runbook.md#notification-dead-letters: ${crcs('notifications test')}, then ${crcs('notifications redrive')}`,
      ),
    ];
  },
};
