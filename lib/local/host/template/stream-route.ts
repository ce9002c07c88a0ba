import * as v from 'valibot';
import { eventPatternSchema } from './event-pattern.ts';
import { noEffect } from './properties.ts';
import type { FindQueue } from './queue-definition.ts';
import { parseOrRefuse, refuse } from './refusal.ts';
import type { ReadResources } from './resources.ts';
import { streamViewTypeSchema, type TableDefinition } from './table-definition.ts';

/** What tells queues of the changes of a table: a pipe from its stream to a topic, and what subscribes to that. */
export const streamRouteSchema = v.object({
  tableName: v.string(),
  streamArn: v.string(),
  viewType: streamViewTypeSchema,
  /** A record goes on that matches one of them, or any when there is none. */
  patterns: v.array(eventPatternSchema),
  /** By name: each gets a message of each record. */
  queues: v.array(v.string()),
});

export type StreamRoute = v.InferOutput<typeof streamRouteSchema>;

const patternSchema = v.pipe(v.string(), v.parseJson(), eventPatternSchema);

const pipeSchema = v.strictObject({
  DesiredState: v.optional(v.literal('RUNNING')),
  Source: v.string(),
  // How AWS reads the stream, and for how long it tries: here all of it is one write.
  SourceParameters: v.strictObject({
    DynamoDBStreamParameters: noEffect,
    FilterCriteria: v.optional(v.strictObject({ Filters: v.array(v.strictObject({ Pattern: patternSchema })) })),
  }),
  Target: v.string(),
  Description: noEffect,
  KmsKeyIdentifier: noEffect,
  LogConfiguration: noEffect,
  Name: noEffect,
  RoleArn: noEffect,
  Tags: noEffect,
});

const topicSchema = v.strictObject({
  DisplayName: noEffect,
  KmsMasterKeyId: noEffect,
  Tags: noEffect,
  TopicName: noEffect,
});

/** Of a topic that a pipe leads to. Another, such as that of the alarms, nothing here publishes to. */
const subscriptionSchema = v.strictObject({
  Endpoint: v.string(),
  Protocol: v.literal('sqs'),
  RawMessageDelivery: v.literal(true),
  TopicArn: noEffect,
  RedrivePolicy: noEffect,
  Region: noEffect,
});

/** Reads what leads from the template's tables to its queues. */
export const readStreamRoutes = (
  read: ReadResources,
  tables: readonly TableDefinition[],
  findQueue: FindQueue,
): readonly StreamRoute[] => {
  const topics = new Set(read('AWS::SNS::Topic', topicSchema).map(({ arn }) => arn));
  const subscriptions = read('AWS::SNS::Subscription', v.looseObject({ TopicArn: v.string() }));

  const queuesOf = (topicArn: string) =>
    subscriptions
      .filter(({ properties }) => properties.TopicArn === topicArn)
      .map(({ properties, where }) => {
        const { Endpoint } = parseOrRefuse(subscriptionSchema, properties, where);
        return findQueue(Endpoint, where).name;
      });

  return read('AWS::Pipes::Pipe', pipeSchema).map(({ properties, where }) => {
    const { Source, SourceParameters, Target } = properties;
    const source = tables.find(({ stream }) => stream?.arn === Source);
    if (!source?.stream) return refuse(where, `${Source} is no stream of a table of the template`);
    if (!topics.has(Target)) return refuse(where, `${Target} is no topic of the template`);
    return {
      tableName: source.name,
      streamArn: Source,
      viewType: source.stream.viewType,
      patterns: SourceParameters.FilterCriteria?.Filters.map(({ Pattern }) => Pattern) ?? [],
      queues: queuesOf(Target),
    };
  });
};
