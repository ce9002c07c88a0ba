import * as v from 'valibot';
import { type EventPattern, eventPatternSchema } from './event-pattern.ts';
import { noEffect } from './properties.ts';
import { createQueueFinder, type QueueDefinition } from './queue-definition.ts';
import { parseOrRefuse, refuse } from './refusal.ts';
import type { ReadResources } from './resources.ts';
import type { streamViewTypeSchema, TableDefinition } from './table-definition.ts';

export type StreamViewType = v.InferOutput<typeof streamViewTypeSchema>;

/** What invokes a function with the changes of a table. */
export interface StreamSource {
  readonly tableName: string;
  readonly streamArn: string;
  readonly viewType: StreamViewType;
  readonly functionArn: string;
  /** How many records an invocation gets at most. */
  readonly batchSize: number;
  /** A record is delivered if it matches one of them, or if there is none. */
  readonly filters: readonly EventPattern[];
  readonly maximumRecordAgeSeconds: number;
  /** The name of the queue that is told of records that became too old. */
  readonly failureQueue?: string;
  readonly enabled: boolean;
}

/** What invokes a function with the messages of a queue. */
export interface QueueSource {
  readonly queue: QueueDefinition;
  readonly functionArn: string;
  /** How many messages an invocation gets at most. */
  readonly batchSize: number;
  /** How many invocations there are at once. */
  readonly maximumConcurrency: number;
  readonly enabled: boolean;
}

/** Lambda's own number of its first pollers, for a mapping that says none. */
const usualConcurrency = 5;

const day = 86_400;

const ofBoth = {
  Enabled: v.optional(v.boolean(), true),
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  FunctionResponseTypes: v.tuple([v.literal('ReportBatchItemFailures')]),
  MetricsConfig: noEffect,
  Tags: noEffect,
};

const queueMappingSchema = v.strictObject({
  ...ofBoth,
  BatchSize: v.optional(v.pipe(v.number(), v.maxValue(10)), 10),
  ScalingConfig: v.optional(v.strictObject({ MaximumConcurrency: v.number() })),
});

const patternSchema = v.pipe(v.string(), v.parseJson(), eventPatternSchema);

const streamMappingSchema = v.strictObject({
  ...ofBoth,
  BatchSize: v.optional(v.number(), 100),
  BisectBatchOnFunctionError: noEffect,
  DestinationConfig: v.optional(v.strictObject({ OnFailure: v.strictObject({ Destination: v.string() }) })),
  FilterCriteria: v.optional(v.strictObject({ Filters: v.array(v.strictObject({ Pattern: patternSchema })) })),
  MaximumRecordAgeInSeconds: v.optional(v.number(), day),
  MaximumRetryAttempts: v.optional(v.literal(-1)),
  StartingPosition: noEffect,
});

/** Reads the template's event source mappings. */
export const readEventSources = (
  read: ReadResources,
  tables: readonly TableDefinition[],
  queues: readonly QueueDefinition[],
  functions: readonly { readonly name: string; readonly arn: string }[],
) => {
  const findQueue = createQueueFinder(queues);
  const mappings = read(
    'AWS::Lambda::EventSourceMapping',
    v.looseObject({ EventSourceArn: v.string(), FunctionName: v.string() }),
  ).map(({ properties, where }) => {
    const { EventSourceArn: sourceArn, FunctionName } = properties;
    const { arn: functionArn } =
      functions.find(({ name, arn }) => FunctionName === name || FunctionName === arn) ??
      refuse(where, `${FunctionName} is no function of the template`);
    return { sourceArn, functionArn, properties, where };
  });
  const isStream = (arn: string) => arn.startsWith('arn:aws:dynamodb:');

  const streamSources: readonly StreamSource[] = mappings
    .filter(({ sourceArn }) => isStream(sourceArn))
    .map(({ sourceArn, functionArn, properties, where }) => {
      const mapping = parseOrRefuse(streamMappingSchema, properties, where);
      const table = tables.find(({ stream }) => stream?.arn === sourceArn);
      if (!table?.stream) return refuse(where, `${sourceArn} is no stream of a table of the template`);
      const destination = mapping.DestinationConfig?.OnFailure.Destination;
      return {
        tableName: table.name,
        streamArn: sourceArn,
        viewType: table.stream.viewType,
        functionArn,
        batchSize: mapping.BatchSize,
        filters: mapping.FilterCriteria?.Filters.map(({ Pattern }) => Pattern) ?? [],
        maximumRecordAgeSeconds: mapping.MaximumRecordAgeInSeconds,
        ...(destination !== undefined && { failureQueue: findQueue(destination, where).name }),
        enabled: mapping.Enabled,
      };
    });

  const queueSources: readonly QueueSource[] = mappings
    .filter(({ sourceArn }) => !isStream(sourceArn))
    .map(({ sourceArn, functionArn, properties, where }) => {
      const mapping = parseOrRefuse(queueMappingSchema, properties, where);
      return {
        queue: findQueue(sourceArn, where),
        functionArn,
        batchSize: mapping.BatchSize,
        maximumConcurrency: mapping.ScalingConfig?.MaximumConcurrency ?? usualConcurrency,
        enabled: mapping.Enabled,
      };
    });
  return { streamSources, queueSources };
};
