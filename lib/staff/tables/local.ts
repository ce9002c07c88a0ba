import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentOptions } from '../../../functions/shared/dynamodb.ts';
import { deployedSettingsIn, tableNamesIn } from '../../infrastructure/outputs.ts';
import { readDataDir } from '../../local/data-dir.ts';
import { accessStore, type StoreAccess } from '../../local/host/store-access.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StaffTables } from './tables.ts';

/**
 * The tables of a local store that is open; closing them closes the store.
 * @throws {StaffError} if its outputs cannot be read
 */
export const tablesOfStore = (store: StoreAccess): StaffTables => {
  const names = tableNamesIn(store.outputs);
  const settings = deployedSettingsIn(store.outputs);
  if (!names || !settings) throw new StaffError('The local service is of another version: run "npm start" again.');
  // The store takes any region and any secret, but the SDK wants some.
  const client = new DynamoDBClient({
    endpoint: store.endpoint,
    region: 'local',
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: 'local' },
  });
  return {
    ...names,
    retentionDays: settings.retentionDays,
    client: DynamoDBDocumentClient.from(client, documentOptions),
    now: () => new Date(),
    close: async () => {
      client.destroy();
      await store.close();
    },
  };
};

/**
 * Opens the tables of the local service: those of the one that runs, or else the embedded store itself. `DATA_DIR` is its
 * folder, as for `npm start`, which alone makes one.
 * @throws {Error} one line, when there is none, a setting is wrong or another process holds the store
 */
export const openLocalTables = async (variables: NodeJS.ProcessEnv): Promise<StaffTables> => {
  const dataDir = readDataDir(variables);
  const store = await accessStore(dataDir);
  if (store) {
    try {
      return tablesOfStore(store);
    } catch (error) {
      await store.close();
      throw error;
    }
  }
  throw new StaffError(
    `No local service has made its tables in ${resolve(dataDir)} yet: run "npm start" once, or set DATA_DIR.`,
  );
};
