import { findAnnouncedStore } from './dynamodb/announcement.ts';
import { tryLockData } from './dynamodb/data-lock.ts';
import { readKeptTables, type TableNames } from './dynamodb/kept-tables.ts';
import type { StoreAddress } from './dynamodb/store-call.ts';
import { type Log, logToStderr } from './log.ts';

/** The DynamoDB of a data directory, as another command than the service gets at it. */
export interface StoreAccess extends StoreAddress {
  readonly tables: TableNames;
  /** Closes the store when it was opened here. */
  close(): Promise<void>;
}

const findRunningStore = async (dataDir: string): Promise<StoreAccess | undefined> => {
  const running = await findAnnouncedStore(dataDir);
  if (!running) return undefined;
  const { endpoint, accessKeyId, tables } = running;
  return { endpoint, accessKeyId, tables, close: async () => {} };
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
  const tables = await readKeptTables(dataDir);
  if (!tables) return undefined;
  const data = await tryLockData(dataDir, log);
  if (data) return { ...(await data.startStore()), tables, close: data.release };
  // One that was starting or ending as it was asked for.
  const started = await findRunningStore(dataDir);
  if (started) return started;
  throw new Error(`The data directory ${dataDir} is in use by another process: try again when that has ended`);
};
