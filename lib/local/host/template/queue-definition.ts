import * as v from 'valibot';
import { noEffect } from './properties.ts';
import { refuse } from './refusal.ts';
import type { ReadResources } from './resources.ts';

/** A standard queue of Amazon SQS, as the template defines it. */
export interface QueueDefinition {
  readonly name: string;
  readonly arn: string;
  readonly visibilityTimeoutSeconds: number;
  readonly retentionSeconds: number;
  /** Where a message goes that was received so often, by the queue's name. */
  readonly redrive?: { readonly deadLetters: string; readonly maxReceiveCount: number };
}

const queueSchema = v.strictObject({
  MessageRetentionPeriod: v.optional(v.number(), 345_600),
  RedrivePolicy: v.optional(
    v.strictObject({
      deadLetterTargetArn: v.string(),
      maxReceiveCount: v.pipe(v.union([v.number(), v.string()]), v.transform(Number)),
    }),
  ),
  VisibilityTimeout: v.optional(v.number(), 30),
  KmsDataKeyReusePeriodSeconds: noEffect,
  KmsMasterKeyId: noEffect,
  QueueName: noEffect,
  RedriveAllowPolicy: noEffect,
  SqsManagedSseEnabled: noEffect,
  Tags: noEffect,
});

/** Finds a queue of the template; refuses the ARN of none. */
export type FindQueue = (arn: string, where: string) => QueueDefinition;

/** @param queues have an ARN */
export const createQueueFinder = <Queue extends { readonly arn: string }>(queues: readonly Queue[]) => {
  const byArn = new Map(queues.map((queue) => [queue.arn, queue]));
  return (arn: string, where: string): Queue => byArn.get(arn) ?? refuse(where, `${arn} is no queue of the template`);
};

/** Reads the template's queues. */
export const readQueues = (read: ReadResources): readonly QueueDefinition[] => {
  const resources = read('AWS::SQS::Queue', queueSchema);
  const find = createQueueFinder(resources);
  return resources.map(({ name, arn, properties, where }) => {
    const { MessageRetentionPeriod, RedrivePolicy, VisibilityTimeout } = properties;
    return {
      name,
      arn,
      visibilityTimeoutSeconds: VisibilityTimeout,
      retentionSeconds: MessageRetentionPeriod,
      ...(RedrivePolicy && {
        redrive: {
          deadLetters: find(RedrivePolicy.deadLetterTargetArn, where).name,
          maxReceiveCount: RedrivePolicy.maxReceiveCount,
        },
      }),
    };
  });
};
