import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { type Table, wasRetried } from '../../../functions/shared/dynamodb.ts';

/** An item as DynamoDB writes it: numbers keep all their digits. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

/** Reads all items of a table, page by page. */
export async function* scanItems({ client, table }: Table): AsyncGenerator<readonly RawItem[]> {
  let start: Record<string, AttributeValue> | undefined;
  do {
    const scan = new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: start });
    const { Items: items = [], LastEvaluatedKey: last } = await client.send(scan);
    yield items;
    start = last;
  } while (start);
}

/**
 * Writes an item, unless its key is taken.
 * @param partitionKey the name of that key
 * @returns whether it did
 */
export const putMissing = async ({ client, table }: Table, partitionKey: string, item: RawItem): Promise<boolean> => {
  const command = new PutItemCommand({
    TableName: table,
    Item: item,
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': partitionKey },
  });
  try {
    await client.send(command);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return wasRetried(error);
  }
};

/** @returns `creating`: a restored table cannot be read yet */
export const tableState = async ({ client, table }: Table): Promise<'ready' | 'creating' | 'missing'> => {
  try {
    const { Table: described } = await client.send(new DescribeTableCommand({ TableName: table }));
    return described?.TableStatus === 'CREATING' ? 'creating' : 'ready';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return 'missing';
    // No table can have such a name.
    if (error instanceof Error && error.name === 'ValidationException') return 'missing';
    throw error;
  }
};
