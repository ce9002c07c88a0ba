import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { concurrencyOfTarget } from './concurrency.ts';
import type { ServiceFunction } from './functions.ts';

/** Of the functions that take the messages: ten seconds for a receiver, and some for the reads before. */
export const messageTimeout = Duration.seconds(15);

/** Six times the function's timeout: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
const visibilityTimeout = Duration.seconds(6 * messageTimeout.toSeconds());

/** A queue whose messages are tried again every minute and a half. @param retries for how long; after that, they are dead letters */
export const messageQueue = (scope: Construct, id: string, deadLetters: Queue, retries: Duration): Queue =>
  new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    visibilityTimeout,
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: retries.toSeconds() / visibilityTimeout.toSeconds() },
  });

/** Lets a function take the messages of queues. @param queues by the ids of their mappings */
export const takeMessages = (
  scope: Construct,
  taker: ServiceFunction,
  queues: Readonly<Record<string, Queue>>,
): void => {
  taker.addToRolePolicy(
    new PolicyStatement({
      // Lambda's pollers use this role.
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources: Object.values(queues).map(({ queueArn }) => queueArn),
    }),
  );
  for (const [id, queue] of Object.entries(queues)) {
    new EventSourceMapping(scope, id, {
      target: taker,
      eventSourceArn: queue.queueArn,
      batchSize: 1,
      reportBatchItemFailures: true,
      maxConcurrency: concurrencyOfTarget,
    });
  }
};
