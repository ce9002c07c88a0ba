import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { environments } from '../../environments.ts';
import { localEnvironment } from '../../local/environment.ts';
import { accessStore, type StoreAccess } from '../../local/host/store-access.ts';
import { readSettings } from '../../local/settings.ts';
import { synthesizeLocal } from '../../local/synthesize.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { type StaffTables, tableNamesIn } from './tables.ts';

/**
 * The tables of a local store that is open; closing them closes the store.
 * @throws {StaffError} when it is the store of a running service that has other tables
 */
export const tablesOfStore = (store: StoreAccess): StaffTables => {
  const names = tableNamesIn(store.tables);
  if (!names) throw new StaffError('The local service that runs is of another version: restart it.');
  // The store takes any region and any secret, but the SDK wants some.
  const client = new DynamoDBClient({
    endpoint: store.endpoint,
    region: 'local',
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: 'local' },
  });
  return {
    ...names,
    client: DynamoDBDocumentClient.from(client),
    now: () => new Date(),
    close: async () => {
      client.destroy();
      await store.close();
    },
  };
};

/**
 * Opens the tables of the local service: those of the one that runs, or else the embedded store itself, which is
 * created when it is not there yet. `DATA_DIR` is its folder, as for `npm start`.
 * @throws {Error} one line, when a setting is wrong or another process holds the store
 */
export const openLocalTables = async (variables: NodeJS.ProcessEnv): Promise<StaffTables> => {
  const settings = readSettings(variables);
  const store = await accessStore({
    dataDir: settings.DATA_DIR,
    synthesize: () => synthesizeLocal(settings.DATA_DIR, localEnvironment(environments, settings)),
  });
  return tablesOfStore(store);
};
