import * as v from 'valibot';
import { noEffect } from './properties.ts';
import type { FindQueue, QueueDefinition } from './queue-definition.ts';
import { refuse } from './refusal.ts';
import type { ReadResources } from './resources.ts';

/** What invokes a function with the messages of a queue. */
export interface EventSourceMapping {
  readonly queue: QueueDefinition;
  readonly functionArn: string;
  /** How many messages an invocation gets at most. */
  readonly batchSize: number;
  /** How many invocations there are at once. */
  readonly maximumConcurrency: number;
  /** Whether the function's answer says which messages failed. */
  readonly reportsFailures: boolean;
}

/** Lambda's own number of its first pollers, for a mapping that says none. */
const usualConcurrency = 5;

const mappingSchema = v.strictObject({
  BatchSize: v.optional(v.pipe(v.number(), v.maxValue(10)), 10),
  Enabled: v.optional(v.literal(true)),
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  ScalingConfig: v.optional(v.strictObject({ MaximumConcurrency: v.number() })),
  MetricsConfig: noEffect,
  Tags: noEffect,
});

/**
 * Reads the template's event source mappings, of queues alone.
 */
export const readEventSourceMappings = (
  read: ReadResources,
  findQueue: FindQueue,
  functions: readonly { readonly name: string; readonly arn: string }[],
): readonly EventSourceMapping[] =>
  read('AWS::Lambda::EventSourceMapping', mappingSchema).map(({ properties, where }) => {
    const { FunctionName } = properties;
    const { arn } =
      functions.find(({ name, arn }) => FunctionName === name || FunctionName === arn) ??
      refuse(where, `${FunctionName} is no function of the template`);
    return {
      queue: findQueue(properties.EventSourceArn, where),
      functionArn: arn,
      batchSize: properties.BatchSize,
      maximumConcurrency: properties.ScalingConfig?.MaximumConcurrency ?? usualConcurrency,
      reportsFailures: properties.FunctionResponseTypes.length > 0,
    };
  });
