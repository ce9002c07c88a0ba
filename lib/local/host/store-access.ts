import { existsSync } from 'node:fs';
import { openBuckets } from './aws/objects.ts';
import { serveBuckets } from './aws/services.ts';
import { systemClock } from './clock.ts';
import { type Log, logToStderr } from './host-log.ts';
import { findAnnouncedStore, type Outputs, readSavedOutputs, type StoreAddress } from './store/announcement.ts';
import { storeFileIn } from './store/data-folder.ts';
import { lockStore } from './store/store.ts';

/** The DynamoDB of a data directory, for commands. */
export interface StoreAccess extends StoreAddress {
  /** The outputs of the stack with its tables. */
  readonly outputs: Outputs;
  /** Whether the service runs, and so acts on what commands change. */
  readonly isServed: boolean;
  /** @returns the endpoint of the S3 that has a bucket of the stack */
  openBucket(name: string): Promise<string>;
  /** Closes the store if it was opened here. */
  close(): Promise<void>;
}

/**
 * Opens the store of a data directory for a command: the store of the running service, or else the embedded store with the
 * tables of an earlier service. Creates nothing.
 * @param patience milliseconds to wait while a service starts
 * @returns nothing if no service has stored data there
 * @throws {Error} one line if another process has locked the data directory, or it cannot be used
 */
export const accessStore = async (
  dataDir: string,
  log: Log = logToStderr,
  patience = 0,
): Promise<StoreAccess | undefined> => {
  // Throws if the folder cannot be read.
  await readSavedOutputs(dataDir);
  if (!existsSync(storeFileIn(dataDir))) return undefined;
  try {
    // The lock comes first: once the service has stopped, another user's program can respond at its announced address.
    const store = await lockStore(dataDir, log, patience);
    // Read again under the lock: meanwhile, a start may have created the first tables.
    const outputs = await readSavedOutputs(dataDir);
    if (!outputs) {
      await store.close();
      return undefined;
    }
    const address = await store.open();
    const opened = new AsyncDisposableStack();
    opened.defer(store.close);
    return {
      ...address,
      outputs,
      isServed: false,
      openBucket: async (name) => {
        const buckets = await openBuckets(dataDir, [name], systemClock);
        const { endpoint, close } = await serveBuckets({ credentials: address, buckets, log });
        opened.defer(close);
        return endpoint;
      },
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    const running = await findAnnouncedStore(dataDir);
    if (running) {
      const { services } = running;
      const openBucket = async () => {
        if (services === undefined) throw new Error('The local service is of another version: restart it');
        return services;
      };
      return { ...running, isServed: true, openBucket, close: async () => {} };
    }
    throw error;
  }
};
