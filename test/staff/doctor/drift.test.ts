import { expect, it, vi } from 'vitest';
import { startWorld } from './world.ts';

const remedy =
  'npx cdk drift ContactService-dev shows it, npx cdk deploy ContactService-dev --revert-drift takes it back';

it('waits for CloudFormation, and tells what was changed without its values', async () => {
  const world = await startWorld();
  const states = ['DETECTION_IN_PROGRESS', 'DETECTION_IN_PROGRESS', 'DETECTION_FAILED'];
  world.answers['cloudformation:DescribeStackDriftDetectionStatus'] = () => ({ DetectionStatus: states.shift() });
  world.answers['cloudformation:DescribeStackResourceDrifts'] = () => ({
    StackResourceDrifts: [
      { LogicalResourceId: 'Api', ResourceType: 'AWS::ApiGateway::RestApi', StackResourceDriftStatus: 'IN_SYNC' },
      { LogicalResourceId: 'Rate', ResourceType: 'AWS::CloudWatch::Alarm', StackResourceDriftStatus: 'DELETED' },
      {
        LogicalResourceId: 'Notify',
        ResourceType: 'AWS::Lambda::Function',
        StackResourceDriftStatus: 'MODIFIED',
        PropertyDifferences: [
          {
            PropertyPath: '/Environment/Variables/TARGET',
            ExpectedValue: 'https://hooks.example.com/secret',
            ActualValue: 'https://hooks.example.com/other',
            DifferenceType: 'NOT_EQUAL',
          },
          { PropertyPath: '/Timeout', ExpectedValue: '30', ActualValue: '3', DifferenceType: 'NOT_EQUAL' },
        ],
      },
      { LogicalResourceId: 'Role', ResourceType: 'AWS::IAM::Role', StackResourceDriftStatus: 'UNKNOWN' },
      { LogicalResourceId: 'Key', ResourceType: 'AWS::SecretsManager::Secret', StackResourceDriftStatus: 'UNKNOWN' },
    ],
  });
  const found = await world.foundBy('drift');
  expect(found).toEqual([
    `wrong: AWS::CloudWatch::Alarm Rate was deleted by another way. -> ${remedy}`,
    `wrong: AWS::Lambda::Function Notify was changed by another way: /Environment/Variables/TARGET, /Timeout. -> ${remedy}`,
    'wrong: AWS::IAM::Role Role could not be compared with what was deployed. -> May these credentials read it? docs/operation.md, "Look after it"',
  ]);
  expect(found.join()).not.toContain('hooks.example.com');
});

it('does not take nothing for well', async () => {
  const world = await startWorld();
  world.answers['cloudformation:DescribeStackResourceDrifts'] = () => ({ StackResourceDrifts: [] });
  expect(await world.foundBy('drift')).toEqual([
    'wrong: The check of drift could not be made: CloudFormation compared nothing. -> Try it again.',
  ]);
});

it('gives up on what comes to no end', async () => {
  const world = await startWorld();
  let looks = 0;
  world.answers['cloudformation:DescribeStackDriftDetectionStatus'] = () => {
    looks += 1;
    return { DetectionStatus: 'DETECTION_IN_PROGRESS' };
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let found: string[] | undefined;
  const finding = world.foundBy('drift').then((all) => {
    found = all;
  });
  while (looks < 3) await vi.advanceTimersByTimeAsync(1);
  while (!found) await vi.advanceTimersByTimeAsync(1000);
  await finding;
  expect(found).toEqual([
    'wrong: The check of drift could not be made: it took more than 300 seconds. -> Try it again.',
  ]);
});
