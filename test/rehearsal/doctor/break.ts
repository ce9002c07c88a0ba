import { CloudWatchClient, DeleteAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, UpdateContinuousBackupsCommand } from '@aws-sdk/client-dynamodb';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { stackName } from '../../../lib/infrastructure/stack-name.ts';
import { postContact } from '../contacts.ts';
import { withFront } from '../front.ts';
import type { Deployed } from '../operator.ts';
import type { Receiver } from '../receiver.ts';
import type { Cast } from '../steps.ts';
import { until } from '../until.ts';
import { accessOf } from './access.ts';
import { ask, othersOf } from './ask.ts';

/** Breaks this and that, and has the doctor find each. */
export const breakAndAsk = async (
  cast: Cast,
  environment: string,
  { stageUrl, outputs }: Deployed,
  receiver: Receiver,
) => {
  const { operator, steps, signal } = cast;
  const access = accessOf(cast);
  const alarm = `${stackName(environment)}-api-5xx`;
  await new CloudWatchClient(access).send(new DeleteAlarmsCommand({ AlarmNames: [alarm] }));
  await new DynamoDBClient(access).send(
    new UpdateContinuousBackupsCommand({
      TableName: outputs['TokensTable'],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    }),
  );
  await new SQSClient(access).send(
    new SetQueueAttributesCommand({ QueueUrl: outputs['DeadLetters'], Attributes: { MessageRetentionPeriod: '3600' } }),
  );
  await operator.staff(
    'tokens',
    'issue',
    '--name',
    'script',
    '--allow',
    'all',
    '--expires',
    '7d',
    '--env',
    environment,
  );
  receiver.status = 500;
  await withFront(stageUrl, environment, async (baseUrl) => {
    await postContact(baseUrl, { email: 'visitor@example.com', message: 'Is anybody there?' });
  });

  const expected: readonly (readonly [check: string, what: RegExp])[] = [
    ['alarms', new RegExp(`^The alarm ${alarm} is not there`)],
    ['drift', /^AWS::SQS::Queue NotificationsDeadLetters\w+ was changed by another way: \/MessageRetentionPeriod/],
    ['backups', /^The table of tokens cannot be restored to a point in time/],
    ['token expiry', /^The token "script" expires /],
    ['notifications', /^Webhook\w+ is not told: .* the last by HTTP 500; 1 notification waits/],
    ['sites', /^The form of .* points to https:\/\/old\.example\.com\/prod/],
  ];
  const findAll = async () => {
    const found = othersOf(await ask(cast, environment));
    const isFound = ([check, what]: (typeof expected)[number]) =>
      found.some((each) => each.check === check && each.severity === 'wrong' && what.test(each.what));
    return expected.every(isFound) && found.length === expected.length ? found : undefined;
  };
  // The try in vain has to be logged first.
  for (const { what, remedy } of await until('all that was broken, and nothing else', findAll, signal)) {
    steps.say(what);
    steps.say(`  ${remedy}`);
  }
};
