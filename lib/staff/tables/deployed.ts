import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentOptions } from '../../../functions/shared/dynamodb.ts';
import { makeClient } from '../../aws/client.ts';
import { deployedSettingsIn, tableNamesIn } from '../../infrastructure/outputs.ts';
import { describeStack, notDeployed } from '../aws/stack.ts';
import type { StackPlace } from '../place.ts';
import type { StaffTables } from './tables.ts';

/** A client of the tables in a region, with the operator's own credentials. */
export const clientIn = (region: string): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(makeClient(DynamoDBClient, { region, maxAttempts: 5 }), documentOptions);

/**
 * Finds the tables of a deployed environment by its stack's outputs.
 * @throws {StaffError} when it is not deployed, or the credentials are another account's; what the SDK throws without
 * credentials, region or network
 */
export const openDeployedTables = async (place: StackPlace): Promise<StaffTables> => {
  const { outputs, region, where, now } = await describeStack(place);
  const tables = tableNamesIn(outputs);
  const settings = deployedSettingsIn(outputs);
  if (!tables || !settings) throw notDeployed(place);
  const client = clientIn(region);
  return {
    ...tables,
    retentionDays: settings.retentionDays,
    client,
    where,
    now,
    close: async () => client.destroy(),
  };
};
