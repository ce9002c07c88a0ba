import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentOptions } from '../../functions/shared/dynamodb.ts';
import { type DeployedSettings, deployedSettingsIn, tableNamesIn } from '../infrastructure/outputs.ts';
import { type EnvironmentTables, tablesOf } from '../shared/environment-tables.ts';
import { StaffError } from '../shared/staff-error.ts';
import type { Outputs, StoreAddress } from './host/store/announcement.ts';

/** The tables of a store on this machine. Disposing ends the connections to it. */
interface StoreTables extends Disposable {
  readonly tables: EnvironmentTables;
  /** The settings of the service that made the tables. */
  readonly settings: DeployedSettings;
  readonly dynamodb: DynamoDBDocumentClient;
}

/**
 * The options of a client of the local host, which accepts any region, but the SDK requires one. The rest of what the shell may
 * say is for AWS.
 */
export const localClientOptions = ({ endpoint, accessKeyId, secretAccessKey }: StoreAddress) => ({
  endpoint,
  region: 'local',
  useFipsEndpoint: false,
  useDualstackEndpoint: false,
  maxAttempts: 3,
  retryMode: 'standard',
  credentials: { accessKeyId, secretAccessKey },
});

/** @throws {StaffError} if another version of the service made the tables */
export const openStoreTables = (store: StoreAddress, outputs: Outputs): StoreTables => {
  const tableNames = tableNamesIn(outputs);
  const settings = deployedSettingsIn(outputs);
  if (!tableNames || !settings) {
    throw new StaffError('The local data are from another version of the service: run "npm start" again.');
  }
  const client = new DynamoDBClient(localClientOptions(store));
  const dynamodb = DynamoDBDocumentClient.from(client, documentOptions);
  return { tables: tablesOf(dynamodb, tableNames), settings, dynamodb, [Symbol.dispose]: () => client.destroy() };
};
