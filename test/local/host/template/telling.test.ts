import { CfnResource } from 'aws-cdk-lib';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { CfnSubscription, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { expect, test } from 'vitest';
import { readTemplate } from '../../../../lib/local/host/template/template.ts';
import { addTelling } from '../sqs/telling.ts';
import { synthesize, type TestStack } from '../test-host.ts';
import { testFolder } from '../test-tables.ts';

const read = (change: (stack: TestStack) => void = () => {}) =>
  readTemplate(
    synthesize(testFolder(), (stack) => {
      addTelling(stack, 'http://127.0.0.1/');
      change(stack);
    }),
    'http://127.0.0.1:1234',
  );

/** Changes a property of every resource of a type. */
const override = (stack: TestStack, type: string, property: string, value: unknown) => {
  for (const resource of stack.node.findAll()) {
    if (resource instanceof CfnResource && resource.cfnResourceType === type) {
      resource.addPropertyOverride(property, value);
    }
  }
};

const filtered = (pattern: object) => ({ FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] } });

const types = {
  mapping: CfnEventSourceMapping.CFN_RESOURCE_TYPE_NAME,
  pipe: CfnPipe.CFN_RESOURCE_TYPE_NAME,
  queue: CfnQueue.CFN_RESOURCE_TYPE_NAME,
  subscription: CfnSubscription.CFN_RESOURCE_TYPE_NAME,
  table: CfnGlobalTable.CFN_RESOURCE_TYPE_NAME,
};

test.each<[string, string, string, unknown, RegExp]>([
  ['an input template', types.pipe, 'TargetParameters', { InputTemplate: '<$>' }, /TargetParameters is not supported$/],
  ['an enrichment', types.pipe, 'Enrichment', 'arn', /Enrichment is not supported$/],
  ['a pipe that stands still', types.pipe, 'DesiredState', 'STOPPED', /DesiredState: .*"RUNNING".*"STOPPED"$/],
  [
    'a source that is no stream',
    types.pipe,
    'Source',
    'arn:other',
    /arn:other is no stream of a table of the template$/,
  ],
  ['a target that is no topic', types.pipe, 'Target', 'arn:other', /arn:other is no topic of the template$/],
  [
    'an operator that is neither a value nor a prefix',
    types.pipe,
    'SourceParameters',
    filtered({ eventName: [{ 'anything-but': 'REMOVE' }] }),
    /SourceParameters\.FilterCriteria\.Filters\.0\.Pattern\.eventName: .*operator/,
  ],
  [
    'an operator over patterns',
    types.pipe,
    'SourceParameters',
    filtered({ $or: [{ eventName: ['INSERT'] }] }),
    /SourceParameters\.FilterCriteria\.Filters\.0\.Pattern\.\$or: .*operator/,
  ],
  ['a subscription with an envelope', types.subscription, 'RawMessageDelivery', false, /RawMessageDelivery: .*true/],
  ['a filter of a subscription', types.subscription, 'FilterPolicy', { a: ['b'] }, /FilterPolicy is not supported$/],
  ['a subscription of no queue', types.subscription, 'Endpoint', 'arn:other', /arn:other is no queue of the template$/],
  ['a FIFO queue', types.queue, 'FifoQueue', true, /FifoQueue is not supported$/],
  ['a queue that delays', types.queue, 'DelaySeconds', 5, /DelaySeconds is not supported$/],
  [
    'dead letters elsewhere',
    types.queue,
    'RedrivePolicy',
    { deadLetterTargetArn: 'arn:other', maxReceiveCount: 1 },
    /arn:other is no queue of the template$/,
  ],
  [
    'a source of events that is no queue',
    types.mapping,
    'EventSourceArn',
    'arn:x',
    /arn:x is no queue of the template$/,
  ],
  ['a mapping to no function', types.mapping, 'FunctionName', 'other', /other is no function of the template$/],
  [
    'a filter of a mapping',
    types.mapping,
    'FilterCriteria',
    { Filters: [{ Pattern: '{}' }] },
    /FilterCriteria is not supported$/,
  ],
  ['a mapping that waits for a batch', types.mapping, 'MaximumBatchingWindowInSeconds', 5, /\w is not supported$/],
  ['a mapping that is off', types.mapping, 'Enabled', false, /Enabled: .*true.*false$/],
  [
    'a view of a stream that there is not',
    types.table,
    'StreamSpecification',
    { StreamViewType: 'ALL' },
    /StreamSpecification\.StreamViewType: /,
  ],
])('%s is refused by name', async (_, type, property, value, message) => {
  const refusal = await read((stack) => override(stack, type, property, value)).catch(({ message }) => message);
  expect(refusal).toMatch(/^The local host cannot serve \w+ \(AWS::\w+::\w+\): /);
  expect(refusal).toContain(`(${type}): `);
  expect(refusal).toMatch(message);
});

test('an e-mail subscription of a topic that no pipe leads to has no effect, of another it is refused', async () => {
  await read((stack) => new Topic(stack, 'Alarms').addSubscription(new EmailSubscription('staff@example.com')));
  await expect(
    read((stack) => {
      for (const topic of stack.node.findAll()) {
        if (topic instanceof Topic) topic.addSubscription(new EmailSubscription('staff@example.com'));
      }
    }),
  ).rejects.toThrow(/\(AWS::SNS::Subscription\): Protocol: .*"sqs".*"email"$/);
});

test('a queue is called where the services answer', async () => {
  const { outputs, queues } = await read();
  const [name] = queues.map((queue) => queue.name).filter((each) => each.startsWith('OneQueue'));
  expect(outputs['OneUrl']).toBe(`http://127.0.0.1:1234/000000000000/${name}`);
});
