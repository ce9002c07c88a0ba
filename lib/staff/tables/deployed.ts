import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentOptions, limitBody } from '../../../functions/dynamodb.ts';
import { clientOptions, patience } from '../aws/client-options.ts';
import { describeStack, notDeployed } from '../aws/stack.ts';
import { type StaffTables, tableNamesIn } from './tables.ts';

/**
 * Finds the tables of a deployed environment by its stack's outputs.
 * @throws {StaffError} when the environment is not deployed; what the SDK throws without credentials, region or network
 */
export const openDeployedTables = async (environment: string): Promise<StaffTables> => {
  const { outputs, where, now } = await describeStack(environment);
  const tables = tableNamesIn(outputs);
  if (!tables) throw notDeployed(environment);
  const client = new DynamoDBClient({ maxAttempts: 5, ...clientOptions(patience) });
  client.middlewareStack.add(limitBody(patience), { step: 'deserialize' });
  return {
    ...tables,
    client: DynamoDBDocumentClient.from(client, documentOptions),
    where,
    now,
    close: async () => client.destroy(),
  };
};
