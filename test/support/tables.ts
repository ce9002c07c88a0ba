import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DescribeTableCommand, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../functions/shared/dynamodb.ts';
import type { ListIndex } from '../../functions/shared/list-page.ts';

/** The keys of a table. */
interface TableKeys {
  readonly partitionKey: string;
  readonly listIndex?: Omit<ListIndex, 'sortKeyPattern' | 'tableKeyOf'>;
}

export const client = createDocumentClient();

/**
 * Creates an empty table.
 * @param name @defaultValue a unique one
 * @returns its name
 */
export const createTable = async (
  { partitionKey, listIndex }: TableKeys,
  name = `table-${randomUUID()}`,
): Promise<string> => {
  const attributes = [...new Set([partitionKey, ...(listIndex ? [listIndex.partitionKey, listIndex.sortKey] : [])])];
  await client
    .send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: attributes.map((attribute) => ({ AttributeName: attribute, AttributeType: 'S' })),
        KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' }],
        ...(listIndex && {
          GlobalSecondaryIndexes: [
            {
              IndexName: listIndex.name,
              KeySchema: [
                { AttributeName: listIndex.partitionKey, KeyType: 'HASH' },
                { AttributeName: listIndex.sortKey, KeyType: 'RANGE' },
              ],
              Projection: { ProjectionType: 'ALL' },
            },
          ],
        }),
      }),
    )
    .catch((error) => {
      // After a slow response, the SDK retries, and finds the table that the first attempt made.
      if (!(error instanceof ResourceInUseException && (error.$metadata.attempts ?? 1) > 1)) throw error;
    });
  while (!(await isActive(name)));
  return name;
};

/** Returns whether a table is ready: it takes a moment after its creation. */
const isActive = async (name: string) => {
  const { Table: table } = await client.send(new DescribeTableCommand({ TableName: name }));
  return table?.TableStatus === 'ACTIVE';
};

/** Writes items unchanged, in batches. */
export const putAll = async (
  table: string,
  items: readonly Readonly<Record<string, unknown>>[],
  to: DynamoDBDocumentClient = client,
): Promise<void> => {
  const most = 25;
  for (let at = 0; at < items.length; at += most) {
    const puts = items.slice(at, at + most).map((item) => ({ PutRequest: { Item: item } }));
    await to.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
  }
};
