import type { Log } from '../log.ts';
import { findAnnouncedStore, withdrawStore } from './announcement.ts';
import { refuseOthers, storeFolderIn } from './own-folder.ts';
import { makePrivate } from './private-folder.ts';
import type { StoreAddress } from './store-call.ts';
import { type StoreThread, startStoreThread } from './store-thread.ts';
import type { Telling } from './store-worker.ts';

/** A data directory that this process holds, for its owner alone: until the release no other has it. */
export interface LockedData extends Pick<StoreThread, 'queues' | 'onArrival'> {
  /** Where the store's files are. */
  readonly folder: string;
  /** Starts the store on them, once. @returns where it answers */
  startStore(telling?: Telling): Promise<StoreAddress>;
  /** Ends the store and what was announced of it, and gives the data directory free. */
  release(): Promise<void>;
}

/**
 * Locks a data directory.
 * @returns nothing when another process holds it
 * @throws {Error} one line, when it cannot be used or the store's files cannot be opened
 */
export const tryLockData = async (dataDir: string, log: Log): Promise<LockedData | undefined> => {
  const folder = storeFolderIn(dataDir);
  await refuseOthers(dataDir);
  await makePrivate(dataDir);
  await makePrivate(folder);
  const thread = await startStoreThread(folder, log);
  return (
    thread && {
      folder,
      queues: thread.queues,
      onArrival: thread.onArrival,
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
 * @throws {Error} one line, when another process holds it, it cannot be used, or the store's files cannot be opened
 */
export const lockData = async (dataDir: string, log: Log): Promise<LockedData> => {
  const data = await tryLockData(dataDir, log);
  if (data) return data;
  const holder = await findAnnouncedStore(dataDir);
  throw new Error(
    `The data directory ${dataDir} is in use by ${holder ? `process ${holder.pid}` : 'another process'}: stop that, or choose another directory (DATA_DIR)`,
  );
};
