import * as v from 'valibot';
import { expect, it } from 'vitest';
import { startWorld, type World } from './world.ts';

const rate = 'ContactService-dev-api-5xx';

const alarmsAre = (world: World, change: (alarm: object) => object) => {
  world.answers['cloudwatch:DescribeAlarms'] = ({ AlarmNames }) => ({
    MetricAlarms: v
      .parse(v.array(v.string()), AlarmNames)
      .map((name) => (name === rate ? change(world.alarm(name)) : world.alarm(name))),
  });
};

it('misses an alarm', async () => {
  const world = await startWorld();
  world.answers['cloudwatch:DescribeAlarms'] = () => ({
    MetricAlarms: [world.alarm('ContactService-dev-unreadable-items')],
  });
  expect(await world.foundBy('alarms')).toEqual([
    `wrong: The alarm ${rate} is not there. -> npx cdk deploy ContactService-dev --revert-drift`,
  ]);
});

it('tells of an alarm that is on, with its section of the runbook', async () => {
  const world = await startWorld();
  alarmsAre(world, (alarm) => ({ ...alarm, StateValue: 'ALARM' }));
  expect(await world.foundBy('alarms')).toEqual([`wrong: The alarm ${rate} is on. -> docs/runbook.md#api-5xx`]);
});

it('finds an alarm whose actions somebody has turned off', async () => {
  const world = await startWorld();
  alarmsAre(world, (alarm) => ({ ...alarm, ActionsEnabled: false }));
  expect(await world.foundBy('alarms')).toEqual([
    `wrong: The alarm ${rate} tells nobody: its actions are off. -> aws cloudwatch enable-alarm-actions --alarm-names ${rate} --region eu-central-1`,
  ]);
});

it('notes that the alarms go to nobody', async () => {
  const world = await startWorld();
  world.answers['cloudwatch:DescribeAlarms'] = ({ AlarmNames }) => ({
    MetricAlarms: v.parse(v.array(v.string()), AlarmNames).map((name) => ({ ...world.alarm(name), AlarmActions: [] })),
  });
  expect(await world.foundBy('alarms')).toEqual([
    'note: The alarms go to nobody. -> Set alarmEmails (docs/settings.md).',
  ]);
});

it('asks for a hundred alarms at once', async () => {
  const world = await startWorld();
  for (let number = 1; number <= 120; number += 1) {
    world.resources.push(['AWS::CloudWatch::Alarm', `Alarm${number}01234567`, `ContactService-dev-alarm-${number}`]);
  }
  expect(await world.foundBy('alarms')).toEqual([]);
  expect(world.asked.filter((action) => action === 'cloudwatch:DescribeAlarms')).toHaveLength(2);
});

it.each([
  ['PendingConfirmation', '1 address of alarmEmails has not confirmed, and gets no alarm.', /^Click the link/],
  ['Deleted', '1 address of alarmEmails has unsubscribed, and gets no alarm.', /--revert-drift/],
])('finds an address of the alarms that is %s, and does not print it', async (state, what, remedy) => {
  const world = await startWorld();
  world.answers['sns:ListSubscriptionsByTopic'] = ({ TopicArn }) => ({
    Subscriptions:
      TopicArn === world.topic
        ? [
            { SubscriptionArn: `${world.topic}:one`, Endpoint: 'office@example.com' },
            { SubscriptionArn: state, Endpoint: 'night@example.com' },
          ]
        : [],
  });
  const found = (await world.findings()).filter(({ check }) => check === 'alarm addresses');
  expect(found).toEqual([{ check: 'alarm addresses', severity: 'wrong', what, remedy: expect.stringMatching(remedy) }]);
  expect(found[0]?.remedy).toContain(`aws sns list-subscriptions-by-topic --topic-arn ${world.topic}`);
  expect(JSON.stringify(found)).not.toContain('night@');
});
