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

/**
 * Opens the store of a data directory from beside the service: that of the service if it runs, else the store itself, with
 * the tables that a service has made in it. Makes nothing.
 * @returns nothing if no service has had its data there
 * @throws {Error} one line, if another process holds the data directory and gives no access, or it cannot be used
 */
export const accessStore = async (dataDir: string, log: Log = logToStderr): Promise<StoreAccess | undefined> => {
  const running = await findAnnouncedStore(dataDir);
  if (running) return { ...running, close: async () => {} };
  const outputs = await readSavedOutputs(dataDir);
  if (!outputs || !existsSync(storeFileIn(dataDir))) return undefined;
  const store = await lockStore(dataDir, log);
  return { ...(await store.open()), outputs, close: store.close };
};
