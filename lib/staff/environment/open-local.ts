import { resolve } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { readDataDir } from '../../local/data-dir.ts';
import { readSavedSecret } from '../../local/host/aws/secrets-manager.ts';
import { logToStderr } from '../../local/host/host-log.ts';
import { isolate } from '../../local/host/isolation.ts';
import { accessStore } from '../../local/host/store-access.ts';
import { openStoreTables } from '../../local/store-tables.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { filesBucketIn } from './files-bucket.ts';
import type { StaffEnvironment } from './staff-environment.ts';

/** Milliseconds to wait while the service starts. */
const startTimeout = 10_000;

/**
 * Opens the local service, whether it runs or not. `DATA_DIR` is its folder, as for `npm start`.
 * @throws {Error} one line, if it never ran, `DATA_DIR` is wrong or another process holds the store
 */
export const openLocal = async (variables: NodeJS.ProcessEnv = process.env): Promise<StaffEnvironment> => {
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
        const credentials = { accessKeyId: store.accessKeyId, secretAccessKey: 'local' };
        s3 = new Client({ endpoint: await store.openBucket(bucket), region: 'local', credentials });
        return s3;
      }),
      client: () => {
        throw new Error('The local service has no AWS');
      },
      savedSecret: (arn) => readSavedSecret(dataDir, arn),
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
