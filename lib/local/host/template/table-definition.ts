import * as v from 'valibot';
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

/** A DynamoDB table, as the template defines it. */
export interface TableDefinition {
  readonly name: string;
  readonly shape: TableShape;
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
  BillingMode: noEffect,
  Replicas: noEffect,
  SSESpecification: noEffect,
  StreamSpecification: noEffect,
  TableName: noEffect,
  TimeToLiveSpecification: noEffect,
  WarmThroughput: noEffect,
  WriteOnDemandThroughputSettings: noEffect,
  WriteProvisionedThroughputSettings: noEffect,
});

/** Reads the template's tables. */
export const readTables = (read: ReadResources): readonly TableDefinition[] =>
  read('AWS::DynamoDB::GlobalTable', globalTableSchema).map(({ name, properties }) => ({
    name,
    shape: v.parse(tableShapeSchema, properties),
  }));
