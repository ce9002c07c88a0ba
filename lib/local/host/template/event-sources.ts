import * as v from 'valibot';
import { type FunctionDefinition, findByArn, type QueueDefinition, type TableDefinition } from './definitions.ts';
import { refuse } from './intrinsics.ts';
import type { Resources } from './resources.ts';

/** The values that pass a filter, by property name. */
export type EventPattern = { readonly [name: string]: EventPattern | string[] };

/**
 * A filter with lists of texts. Operators are refused.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export const eventPatternSchema: v.GenericSchema<unknown, EventPattern> = v.record(
  v.pipe(v.string(), v.regex(/^[^$]/, 'an operator that is not supported')),
  v.union([v.array(v.string()), v.lazy(() => eventPatternSchema)], 'it has an operator that is not supported'),
);

/** Invokes a function with the records of a table's stream. */
export interface StreamSource {
  readonly tableName: string;
  readonly functionArn: string;
  readonly batchSize: number;
  /** Records that match one of them are delivered; without filters, all. */
  readonly filters: readonly EventPattern[];
  readonly enabled: boolean;
}

/** Invokes a function with each message of a queue. */
export interface QueueSource {
  readonly queue: QueueDefinition;
  readonly functionArn: string;
  readonly maximumConcurrency: number;
  readonly enabled: boolean;
}

const filtersSchema = v.optional(
  v.array(v.strictObject({ Pattern: v.pipe(v.string(), v.parseJson(), eventPatternSchema) })),
  [],
);

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html */
export const readEventSources = (
  resources: Resources,
  functions: readonly FunctionDefinition[],
  tables: readonly TableDefinition[],
  queues: readonly QueueDefinition[],
): { readonly streamSources: readonly StreamSource[]; readonly queueSources: readonly QueueSource[] } => {
  const streamSources: StreamSource[] = [];
  const queueSources: QueueSource[] = [];
  for (const { where, get } of resources('AWS::Lambda::EventSourceMapping')) {
    get('FunctionResponseTypes', v.tuple([v.literal('ReportBatchItemFailures')]));
    const name = get('FunctionName', v.string());
    const invoked =
      functions.find((each) => name === each.name || name === each.arn) ??
      refuse(where, `${name} is no function of the template`);
    const sourceArn = get('EventSourceArn', v.string());
    const common = { functionArn: invoked.arn, enabled: get('Enabled', v.optional(v.boolean(), true)) };

    const table = tables.find(({ streamArn }) => streamArn === sourceArn);
    if (table) {
      get('StartingPosition', v.literal('TRIM_HORIZON'));
      if (streamSources.some(({ tableName }) => tableName === table.name)) {
        refuse(where, `the stream of ${table.name} has a second event source`);
      }
      streamSources.push({
        ...common,
        tableName: table.name,
        batchSize: get('BatchSize', v.optional(v.number(), 100)),
        filters: get('FilterCriteria.Filters', filtersSchema).map(({ Pattern }) => Pattern),
      });
    } else {
      get('BatchSize', v.literal(1));
      queueSources.push({
        ...common,
        queue: findByArn(queues, sourceArn, where),
        // Lambda starts with five pollers.
        maximumConcurrency: get('ScalingConfig.MaximumConcurrency', v.optional(v.number(), 5)),
      });
    }
  }
  return { streamSources, queueSources };
};
