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
  /** Whether the function names the records that failed. Otherwise, all fail or none. */
  readonly reportsFailures: boolean;
  readonly enabled: boolean;
}

/** A name of a stream's source. No source waits for another of the same stream. */
export const streamSourceName = ({ tableName, functionArn }: Pick<StreamSource, 'tableName' | 'functionArn'>): string =>
  `${tableName} ${functionArn}`;

/** Invokes a function at regular intervals. */
export interface Schedule {
  readonly name: string;
  readonly functionArn: string;
  readonly intervalMilliseconds: number;
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

const reportSchema = v.tuple([v.literal('ReportBatchItemFailures')]);

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
    const name = get('FunctionName', v.string());
    const invoked =
      functions.find((each) => name === each.name || name === each.arn) ??
      refuse(where, `${name} is no function of the template`);
    const sourceArn = get('EventSourceArn', v.string());
    const common = { functionArn: invoked.arn, enabled: get('Enabled', v.optional(v.boolean(), true)) };

    const table = tables.find(({ streamArn }) => streamArn === sourceArn);
    if (table) {
      get('StartingPosition', v.literal('TRIM_HORIZON'));
      if (streamSources.some((each) => each.tableName === table.name && each.functionArn === invoked.arn)) {
        refuse(where, `${invoked.name} has a second event source of the same stream`);
      }
      streamSources.push({
        ...common,
        tableName: table.name,
        batchSize: get('BatchSize', v.optional(v.number(), 100)),
        reportsFailures: get('FunctionResponseTypes', v.optional(reportSchema)) !== undefined,
        filters: get('FilterCriteria.Filters', filtersSchema).map(({ Pattern }) => Pattern),
      });
    } else {
      get('BatchSize', v.literal(1));
      get('FunctionResponseTypes', reportSchema);
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

const minute = 60_000;
const units: Readonly<Record<string, number>> = { minute, hour: 60 * minute, day: 1440 * minute };

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#rate-based */
const rate = v.pipe(
  v.string(),
  v.regex(/^rate\([1-9]\d* (minute|hour|day)s?\)$/, 'only rates are supported'),
  v.transform((text) => {
    const [, count, unit = ''] = /(\d+) (minute|hour|day)/.exec(text) ?? [];
    return Number(count) * (units[unit] ?? 0);
  }),
);

const targetsSchema = v.strictTuple([v.object({ Arn: v.string() })]);

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-rule.html */
export const readSchedules = (resources: Resources, functions: readonly FunctionDefinition[]): readonly Schedule[] =>
  resources('AWS::Events::Rule').map(({ name, where, get }) => {
    get('State', v.optional(v.literal('ENABLED')));
    const [{ Arn }] = get('Targets', targetsSchema);
    return {
      name,
      functionArn: findByArn(functions, Arn, where).arn,
      intervalMilliseconds: get('ScheduleExpression', rate),
    };
  });
