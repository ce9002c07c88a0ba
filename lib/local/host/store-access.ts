import { findAnnouncedStore } from './dynamodb/announcement.ts';
import { tryLockData } from './dynamodb/data-lock.ts';
import { type Outputs, readKeptOutputs } from './dynamodb/kept-outputs.ts';
import type { StoreAddress } from './dynamodb/store-call.ts';
import { type Log, logToStderr } from './log.ts';

/** The DynamoDB of a data directory, as another command than the service gets at it. */
export interface StoreAccess extends StoreAddress {
  /** Of the stack whose tables it holds. */
  readonly outputs: Outputs;
  /** Closes the store when it was opened here. */
  close(): Promise<void>;
}

const findRunningStore = async (dataDir: string): Promise<StoreAccess | undefined> => {
  const running = await findAnnouncedStore(dataDir);
  if (!running) return undefined;
  const { endpoint, accessKeyId, outputs } = running;
  return { endpoint, accessKeyId, outputs, close: async () => {} };
};

/**
 * Opens the store of a data directory from beside the service: the running one's, when a service runs, else the store
 * itself, with the tables that a service has made in it. Makes nothing.
 * @returns nothing when no service has had its data there
 * @throws {Error} one line, when another process holds the data directory and gives no access, or it cannot be used
 */
export const accessStore = async (dataDir: string, log: Log = logToStderr): Promise<StoreAccess | undefined> => {
  const running = await findRunningStore(dataDir);
  if (running) return running;
  const outputs = await readKeptOutputs(dataDir);
  if (!outputs) return undefined;
  const data = await tryLockData(dataDir, log);
  if (data) return { ...(await data.startStore()), outputs, close: data.release };
  // One that was starting or ending as it was asked for.
  const started = await findRunningStore(dataDir);
  if (started) return started;
  throw new Error(`The data directory ${dataDir} is in use by another process: try again when that has ended`);
};
