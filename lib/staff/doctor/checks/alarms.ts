import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { type Check, type Finding, note, wrong } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/** As many as CloudWatch takes at once: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html */
const most = 100;

const lookAt = (alarm: MetricAlarm, { aws }: Deployment): Finding[] => {
  const { AlarmName: name = '', AlarmDescription: description = '', StateValue: state, ActionsEnabled: acts } = alarm;
  const [runbook = 'docs/runbook.md'] = /docs\/runbook\.md#[\w-]+/.exec(description) ?? [];
  return [
    ...(state === 'ALARM' ? [wrong(`The alarm ${name} is on.`, runbook)] : []),
    ...(acts === false
      ? [
          wrong(
            `The alarm ${name} tells nobody: its actions are off.`,
            aws(`cloudwatch enable-alarm-actions --alarm-names ${name}`),
          ),
        ]
      : []),
  ];
};

/** Whether every alarm is there, quiet, and lets somebody know. */
export const alarms: Check = {
  name: 'alarms',
  actions: ['cloudwatch:DescribeAlarms'],
  look: async (deployment) => {
    const { stack, resources, client } = deployment;
    const names = resources('AWS::CloudWatch::Alarm').map(({ physicalId }) => physicalId);
    const cloudWatch = client(CloudWatchClient);
    const found: MetricAlarm[] = [];
    for (let at = 0; at < names.length; at += most) {
      const { MetricAlarms: some = [] } = await cloudWatch.send(
        new DescribeAlarmsCommand({ AlarmNames: names.slice(at, at + most), MaxRecords: most }),
      );
      found.push(...some);
    }
    const there = new Set(found.map(({ AlarmName }) => AlarmName));
    const missing = names.filter((name) => !there.has(name));
    return [
      ...missing.map((name) => wrong(`The alarm ${name} is not there.`, `npx cdk deploy ${stack} --revert-drift`)),
      ...found.flatMap((alarm) => lookAt(alarm, deployment)),
      ...(found.length > 0 && found.every(({ AlarmActions: actions = [] }) => actions.length === 0)
        ? [note('The alarms go to nobody.', 'Set alarmEmails (docs/settings.md).')]
        : []),
    ];
  },
};
