import { SQSClient } from '@aws-sdk/client-sqs';
import { CfnOutput, Duration } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { onTestFinished, vi } from 'vitest';
import { startHost } from '../../../../lib/local/host/host.ts';
import { createManualClock } from '../manual-clock.ts';
import { synthesize, type TestStack } from '../test-host.ts';
import { deliveringSource, type Receiver } from './receiver.ts';

/** What a pipe lets through: new and changed things that are not in a list of spam. */
const notSpam = {
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: { NewImage: { list: { S: [{ prefix: 'inbox' }] } } },
};

export interface TellingOptions {
  readonly targets?: readonly string[];
  readonly maxReceiveCount?: number;
  readonly reportsFailures?: boolean;
  readonly batchSize?: number;
  readonly viewType?: StreamViewType;
  /** Whether no pipe leads to the topic. */
  readonly paused?: boolean;
  /** The source of the function that answers `GET /`. @defaultValue one that does nothing */
  readonly answering?: string;
}

export const visibilitySeconds = 180;

/** Tells targets of the changes of the table `things`: a queue and a function each, as the receiver knows it. */
export const addTelling = (
  stack: TestStack,
  receiverUrl: string,
  {
    targets = ['One', 'Other'],
    maxReceiveCount = 3,
    reportsFailures = true,
    batchSize = 1,
    viewType = StreamViewType.NEW_IMAGE,
    paused = false,
    answering,
  }: TellingOptions = {},
) => {
  stack.api({ 'GET /': answering === undefined ? stack.echo('Echo', '1') : stack.function('Answering', answering) });
  const things = new TableV2(stack, 'Things', {
    tableName: 'things',
    partitionKey: { name: 'id', type: AttributeType.STRING },
    ...(targets.length > 0 && { dynamoStream: viewType }),
  });
  new CfnOutput(stack, 'ThingsTable', { value: things.tableName });
  if (targets.length === 0) return undefined;

  const deadLetters = new Queue(stack, 'DeadLetters', { retentionPeriod: Duration.days(14), enforceSSL: true });
  new CfnOutput(stack, 'DeadLettersUrl', { value: deadLetters.queueUrl });
  const topic = new Topic(stack, 'Topic', { enforceSSL: true });
  for (const target of targets) {
    const queue = new Queue(stack, `${target}Queue`, {
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount },
    });
    topic.addSubscription(new SqsSubscription(queue, { rawMessageDelivery: true }));
    const handler = stack.function(target, deliveringSource(target, receiverUrl), { seconds: 20 });
    handler.addEnvironment('QUEUE_URL', queue.queueUrl);
    new EventSourceMapping(stack, `${target}Source`, {
      target: handler,
      eventSourceArn: queue.queueArn,
      batchSize,
      maxConcurrency: 2,
      reportBatchItemFailures: reportsFailures,
    });
    new CfnOutput(stack, `${target}Url`, { value: queue.queueUrl });
  }
  if (paused) return { topic, deadLetters };
  const pipe = new CfnPipe(stack, 'Pipe', {
    roleArn: 'arn:aws:iam::000000000000:role/any',
    source: things.tableStreamArn ?? '',
    sourceParameters: {
      filterCriteria: { filters: [{ pattern: JSON.stringify(notSpam) }] },
      dynamoDbStreamParameters: { startingPosition: 'TRIM_HORIZON', batchSize: 1 },
    },
    target: topic.topicArn,
  });
  return { pipe, topic, deadLetters };
};

/** Serves what tells on a data directory, on a clock that the test moves, until the test ends. */
export const startTelling = async (folder: string, receiver: Receiver, options: TellingOptions = {}) => {
  const clock = createManualClock();
  const lines: string[] = [];
  const host = await startHost({
    dataDir: `${folder}/data`,
    synthesize: async () => synthesize(folder, (stack) => addTelling(stack, receiver.url, options)),
    port: 0,
    clock,
    log: (source, line) => lines.push(`${source}: ${line}`),
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= host.close();
    return closed;
  };
  onTestFinished(close);
  /** The SDK's client as a function has it: it knows the endpoint by its variables. */
  const sqs = () => {
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', new URL(host.outputs['DeadLettersUrl'] ?? '').origin);
    onTestFinished(() => void vi.unstubAllEnvs());
    const credentials = { accessKeyId: host.store.accessKeyId, secretAccessKey: 'any' };
    const client = new SQSClient({ region: 'us-east-1', credentials });
    onTestFinished(() => client.destroy());
    return client;
  };
  return { ...host, clock, lines, close, sqs, queueUrl: (name: string) => host.outputs[`${name}Url`] ?? '' };
};
