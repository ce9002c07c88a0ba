import * as v from 'valibot';
import { streamArnOf } from './intrinsics.ts';
import { noEffect } from './properties.ts';
import type { ReadResources } from './resources.ts';

const keySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.string() }));

const indexEntries = {
  IndexName: v.string(),
  KeySchema: keySchema,
  Projection: v.object({ NonKeyAttributes: v.optional(v.array(v.string())), ProjectionType: v.string() }),
};

const tableEntries = {
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
  KeySchema: keySchema,
};

/** What makes a table: its keys and its indexes, in the words of DynamoDB's own API. */
export const tableShapeSchema = v.object({
  ...tableEntries,
  GlobalSecondaryIndexes: v.optional(v.array(v.object(indexEntries)), []),
});

type TableShape = v.InferOutput<typeof tableShapeSchema>;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_StreamSpecification.html */
export const streamViewTypeSchema = v.picklist(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']);

type StreamViewType = v.InferOutput<typeof streamViewTypeSchema>;

/** A DynamoDB table, as the template defines it. */
export interface TableDefinition {
  readonly name: string;
  readonly shape: TableShape;
  /** The stream of its changes, when it has one, and what that tells of a change. */
  readonly stream?: { readonly arn: string; readonly viewType: StreamViewType };
}

const globalTableSchema = v.strictObject({
  ...tableEntries,
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.strictObject({
        ...indexEntries,
        ReadOnDemandThroughputSettings: noEffect,
        ReadProvisionedThroughputSettings: noEffect,
        WarmThroughput: noEffect,
        WriteOnDemandThroughputSettings: noEffect,
        WriteProvisionedThroughputSettings: noEffect,
      }),
    ),
  ),
  StreamSpecification: v.optional(v.strictObject({ StreamViewType: streamViewTypeSchema })),
  BillingMode: noEffect,
  Replicas: noEffect,
  SSESpecification: noEffect,
  TableName: noEffect,
  TimeToLiveSpecification: noEffect,
  WarmThroughput: noEffect,
  WriteOnDemandThroughputSettings: noEffect,
  WriteProvisionedThroughputSettings: noEffect,
});

/** Reads the template's tables. */
export const readTables = (read: ReadResources): readonly TableDefinition[] =>
  read('AWS::DynamoDB::GlobalTable', globalTableSchema).map(({ name, arn, properties }) => {
    const { StreamViewType: viewType } = properties.StreamSpecification ?? {};
    return {
      name,
      shape: v.parse(tableShapeSchema, properties),
      ...(viewType && { stream: { arn: streamArnOf(arn), viewType } }),
    };
  });
