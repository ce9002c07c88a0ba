import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentOptions } from '../../functions/shared/dynamodb.ts';
import { deployedSettingsIn, tableNamesIn } from '../infrastructure/outputs.ts';
import { readDataDir } from '../local/data-dir.ts';
import { readSavedSecret } from '../local/host/aws/secrets.ts';
import { isolate } from '../local/host/isolation.ts';
import { logToStderr } from '../local/host/log.ts';
import { accessStore, type StoreAccess } from '../local/host/store-access.ts';
import type { Environment } from './environment.ts';
import { StaffError } from './staff-error.ts';

/**
 * The environment `local` on an open store. Closing it closes the store.
 * @throws {StaffError} if another version of the service made the store
 */
export const environmentOfStore = (store: StoreAccess): Environment => {
  const { outputs } = store;
  const [tables, settings] = [tableNamesIn(outputs), deployedSettingsIn(outputs)];
  if (!tables || !settings)
    throw new StaffError('The local data are from another version of the service: run "npm start" again.');
  // The store accepts any region and secret, but the SDK requires them.
  const client = new DynamoDBClient({
    endpoint: store.endpoint,
    region: 'local',
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: 'local' },
  });
  return {
    name: 'local',
    chosenBy: '--env local',
    outputs,
    settings,
    tables,
    dynamodb: DynamoDBDocumentClient.from(client, documentOptions),
    client: () => {
      throw new Error('The local service has no AWS');
    },
    now: () => new Date(),
    close: async () => {
      client.destroy();
      await store.close();
    },
  };
};

/** Milliseconds to wait while the service starts. */
const startTimeout = 10_000;

/**
 * Opens the local service, whether it runs or not. `DATA_DIR` is its folder, as for `npm start`.
 * @throws {Error} one line, if it never ran, `DATA_DIR` is wrong or another process holds the store
 */
export const openLocal = async (variables: NodeJS.ProcessEnv = process.env): Promise<Environment> => {
  const dataDir = readDataDir(isolate(variables));
  const store = await accessStore(dataDir, logToStderr, startTimeout);
  if (!store) {
    throw new StaffError(
      `No local service data in ${resolve(dataDir)}. Run "npm start" once, set DATA_DIR, or name a deployed environment with --env.`,
    );
  }
  try {
    return { ...environmentOfStore(store), savedSecret: (arn) => readSavedSecret(dataDir, arn) };
  } catch (error) {
    await store.close();
    throw error;
  }
};
