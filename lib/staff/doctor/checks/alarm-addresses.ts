import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { count } from '../../command-line/text.ts';
import { type Check, wrong } from '../check.ts';

/** Whether the addresses that get the alarms have clicked the link that they were sent, and no link that ends it. */
export const alarmAddresses: Check = {
  name: 'alarm addresses',
  actions: ['sns:ListSubscriptionsByTopic'],
  look: async ({ stack, resource, resources, client, aws }) => {
    const topic = resource('AWS::SNS::Topic', 'AlarmsTopic')?.physicalId;
    if (topic === undefined) return [];
    const states: string[] = [];
    const pages = paginateListSubscriptionsByTopic({ client: client(SNSClient) }, { TopicArn: topic });
    for await (const { Subscriptions: page = [] } of pages) {
      for (const { SubscriptionArn = '' } of page) states.push(SubscriptionArn);
    }
    const unconfirmed = states.filter((state) => state === 'PendingConfirmation').length;
    const confirmed = states.filter((state) => state.startsWith('arn:')).length;
    const expected = resources('AWS::SNS::Subscription').filter(({ physicalId }) =>
      physicalId.startsWith(`${topic}:`),
    ).length;
    const gone = Math.max(0, expected - confirmed - unconfirmed);
    // Not the addresses themselves, which would stand in the log of a CI job.
    const list = aws(`sns list-subscriptions-by-topic --topic-arn ${topic}`);
    return [
      ...(unconfirmed > 0
        ? [
            wrong(
              `${count(unconfirmed, 'address')} of alarmEmails ${unconfirmed === 1 ? 'has not confirmed, and gets' : 'have not confirmed, and get'} no alarm.`,
              `Click the link of the mail "AWS Notification - Subscription Confirmation"; ${list} shows whose.`,
            ),
          ]
        : []),
      ...(gone > 0
        ? [
            wrong(
              `${count(gone, 'address')} of alarmEmails ${gone === 1 ? 'has unsubscribed, and gets' : 'have unsubscribed, and get'} no alarm.`,
              `npx cdk deploy ${stack} --revert-drift; ${list} shows whose are left.`,
            ),
          ]
        : []),
    ];
  },
};
