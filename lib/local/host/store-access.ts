import { existsSync } from 'node:fs';
import { type Log, logToStderr } from './log.ts';
import { findAnnouncedStore, type Outputs, readSavedOutputs, type StoreAddress } from './store/announcement.ts';
import { storeFileIn } from './store/data-folder.ts';
import { lockStore } from './store/store.ts';

/** The DynamoDB of a data directory, for another command than the service. */
export interface StoreAccess extends StoreAddress {
  /** Of the stack whose tables it holds. */
  readonly outputs: Outputs;
  /** Closes the store if it was opened here. */
  close(): Promise<void>;
}

const findRunning = async (dataDir: string): Promise<StoreAccess | undefined> => {
  const running = await findAnnouncedStore(dataDir);
  return running && { ...running, close: async () => {} };
};

/**
 * Opens the store of a data directory for another command than the service: the store of the service if it runs, else the
 * embedded store with the tables that a service has made. Makes nothing.
 * @param patience milliseconds to wait while a service starts
 * @returns nothing if no service has had its data there
 * @throws {Error} one line, if another process holds the data directory and gives no access, or it cannot be used
 */
export const accessStore = async (
  dataDir: string,
  log: Log = logToStderr,
  patience = 0,
): Promise<StoreAccess | undefined> => {
  const running = await findRunning(dataDir);
  if (running || !existsSync(storeFileIn(dataDir))) return running;
  try {
    const store = await lockStore(dataDir, log, patience);
    // After the wait: an earlier start may have just made the first tables.
    const outputs = await readSavedOutputs(dataDir);
    if (outputs) return { ...(await store.open()), outputs, close: store.close };
    await store.close();
    return undefined;
  } catch (error) {
    const started = await findRunning(dataDir);
    if (started) return started;
    throw error;
  }
};
