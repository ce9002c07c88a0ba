import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import type { StoreAddress } from '../../lib/local/host/store/announcement.ts';
import type { TableDefinition } from '../../lib/local/host/template/definitions.ts';

/** Creates the tables of a template in a DynamoDB. */
export const createTables = async (
  { endpoint, ...credentials }: StoreAddress,
  tables: readonly TableDefinition[],
): Promise<void> => {
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  for (const { name: TableName, shape } of tables) {
    const { GlobalSecondaryIndexes, ...keys } = shape;
    const indexes = GlobalSecondaryIndexes.length > 0 ? { GlobalSecondaryIndexes } : {};
    await client.send(new CreateTableCommand({ ...keys, ...indexes, BillingMode: 'PAY_PER_REQUEST', TableName }));
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName });
  }
  client.destroy();
};
