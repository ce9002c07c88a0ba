import { findAnnouncedStore } from './dynamodb/announcement.ts';
import { tryLockData } from './dynamodb/data-lock.ts';
import { openStore } from './dynamodb/store.ts';
import type { StoreAddress } from './dynamodb/store-call.ts';
import { type Log, logToStderr } from './log.ts';
import { type Assembly, readTemplate } from './template/template.ts';

/** Which data directory, and the stack whose tables it holds. */
export interface StoreAccessOptions {
  readonly dataDir: string;
  /** Synthesizes the stack; called when no service runs, once the data directory is known to be free. */
  readonly synthesize: () => Promise<Assembly>;
  /** @defaultValue standard error */
  readonly log?: Log;
}

/** The DynamoDB of a data directory, as another command than the service gets at it. */
export interface StoreAccess extends StoreAddress {
  /** The tables' names in the store, by the output of the stack that gives each. */
  readonly tables: Readonly<Record<string, string>>;
  /** Closes the store when it was opened here. */
  close(): Promise<void>;
}

const useRunningStore = async (dataDir: string): Promise<StoreAccess> => {
  const running = await findAnnouncedStore(dataDir);
  if (!running) {
    throw new Error(`The data directory ${dataDir} is in use by another process: try again when that has ended`);
  }
  const { pid: _, ...store } = running;
  return { ...store, close: async () => {} };
};

/**
 * Opens the store of a data directory from beside the service: the running one's, when a service runs, else the store
 * itself, with its tables made.
 * @throws {Error} one line, when another process holds the data directory and gives no access
 */
export const accessStore = async ({
  dataDir,
  synthesize,
  log = logToStderr,
}: StoreAccessOptions): Promise<StoreAccess> => {
  const data = await tryLockData(dataDir, log);
  if (!data) return useRunningStore(dataDir);
  try {
    const template = await readTemplate(await synthesize());
    const store = await openStore(data, template.tables);
    return { ...store, tables: template.tableNames, close: data.release };
  } catch (error) {
    await data.release();
    throw error;
  }
};
