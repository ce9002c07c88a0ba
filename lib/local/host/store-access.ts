import { existsSync } from 'node:fs';
import { type Log, logToStderr } from './log.ts';
import { findAnnouncedStore, type Outputs, readKeptOutputs, type StoreAddress } from './store/announcement.ts';
import { storeFileIn } from './store/data-folder.ts';
import { tryLockStore } from './store/store.ts';

/** The DynamoDB of a data directory, for another command than the service. */
export interface StoreAccess extends StoreAddress {
  /** Of the stack whose tables it holds. */
  readonly outputs: Outputs;
  /** Closes the store if it was opened here. */
  close(): Promise<void>;
}

const findRunningStore = async (dataDir: string): Promise<StoreAccess | undefined> => {
  const running = await findAnnouncedStore(dataDir);
  if (!running) return undefined;
  const { endpoint, accessKeyId, outputs } = running;
  return { endpoint, accessKeyId, outputs, close: async () => {} };
};

/**
 * Opens the store of a data directory from beside the service: that of the service if it runs, else the store itself, with
 * the tables that a service has made in it. Makes nothing.
 * @returns nothing if no service has had its data there
 * @throws {Error} one line, if another process holds the data directory and gives no access, or it cannot be used
 */
export const accessStore = async (dataDir: string, log: Log = logToStderr): Promise<StoreAccess | undefined> => {
  const running = await findRunningStore(dataDir);
  if (running) return running;
  const outputs = await readKeptOutputs(dataDir);
  if (!outputs || !existsSync(storeFileIn(dataDir))) return undefined;
  const store = await tryLockStore(dataDir, log);
  if (store) return { ...(await store.open()), outputs, close: store.close };
  // One that was starting or ending as it was asked for.
  const started = await findRunningStore(dataDir);
  if (started) return started;
  throw new Error(`The data directory ${dataDir} is in use by another process: try again when that has ended`);
};
