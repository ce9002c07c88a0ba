import { resolve } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { backUp } from '../../local/backup.ts';
import { readDataDir } from '../../local/data-dir.ts';
import { readSavedSecret, saveSecret } from '../../local/host/aws/secrets-manager.ts';
import { logToStderr } from '../../local/host/host-log.ts';
import { isolate } from '../../local/host/isolation.ts';
import { accessStore } from '../../local/host/store-access.ts';
import { neededSecrets } from '../../local/needed-secrets.ts';
import { isServer } from '../../local/server-settings.ts';
import { localClientOptions, openStoreTables } from '../../local/store-tables.ts';
import type { WrittenEnvironments } from '../../shared/settings-file.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { filesBucketIn } from './files-bucket.ts';
import type { StaffEnvironment } from './staff-environment.ts';

/** Milliseconds to wait while the service starts. */
const startTimeout = 10_000;

/**
 * Opens the local service, whether it runs or not. `DATA_DIR` is its folder, as for `npm start`.
 * @throws {Error} one line, if it never ran, `DATA_DIR` is wrong or another process holds the store
 */
export const openLocal = async (
  environments: WrittenEnvironments,
  variables: NodeJS.ProcessEnv,
): Promise<StaffEnvironment> => {
  const dataDir = readDataDir(isolate(variables));
  const store = await accessStore(dataDir, logToStderr, startTimeout);
  if (!store) {
    throw new StaffError(
      `No local service data in ${resolve(dataDir)}. Run "npm start" once, set DATA_DIR, or name a deployed environment with --env.`,
    );
  }
  try {
    const { [Symbol.dispose]: endConnections, ...opened } = openStoreTables(store, store.outputs);
    let s3: S3Client | undefined;
    return {
      ...opened,
      name: 'local',
      chosenBy: '--env local',
      outputs: store.outputs,
      files: filesBucketIn(store.outputs, store.isServed, async (Client, bucket) => {
        s3 = new Client(localClientOptions({ ...store, endpoint: await store.openBucket(bucket) }));
        return s3;
      }),
      client: () => {
        throw new Error('The local service has no AWS');
      },
      local: {
        dataDir,
        neededSecrets: isServer(variables) ? neededSecrets(environments[variables['ENVIRONMENT'] ?? 'prod']) : [],
        readSecret: (id) => readSavedSecret(dataDir, id),
        saveSecret: (name, value) => saveSecret(dataDir, name, value),
        backUp: () => backUp(dataDir, store),
      },
      now: () => new Date(),
      [Symbol.asyncDispose]: async () => {
        endConnections();
        s3?.destroy();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};
