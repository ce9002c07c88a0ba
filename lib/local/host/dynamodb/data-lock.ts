import { join } from 'node:path';
import type { Log } from '../log.ts';
import { findAnnouncedStore, withdrawStore } from './announcement.ts';
import { startStoreThread } from './store-thread.ts';

/** A data directory that this process holds: until the release no other has it. */
export interface LockedData {
  /** Where the store's files are. */
  readonly folder: string;
  /** Starts the store on them, once. @returns where it answers */
  startStore(): Promise<string>;
  /** Ends the store and what was announced of it, and gives the data directory free. */
  release(): Promise<void>;
}

/**
 * Locks a data directory.
 * @returns nothing when another process holds it
 * @throws {Error} one line, when the store's files cannot be opened
 */
export const tryLockData = async (dataDir: string, log: Log): Promise<LockedData | undefined> => {
  const folder = join(dataDir, 'dynamodb');
  const thread = await startStoreThread(folder, log);
  return (
    thread && {
      folder,
      startStore: thread.open,
      release: async () => {
        try {
          await withdrawStore(dataDir);
        } finally {
          await thread.close();
        }
      },
    }
  );
};

/**
 * Locks a data directory.
 * @throws {Error} one line, when another process holds it or the store's files cannot be opened
 */
export const lockData = async (dataDir: string, log: Log): Promise<LockedData> => {
  const data = await tryLockData(dataDir, log);
  if (data) return data;
  const holder = await findAnnouncedStore(dataDir);
  throw new Error(
    `The data directory ${dataDir} is in use by ${holder ? `process ${holder.pid}` : 'another process'}: stop that, or choose another directory`,
  );
};
