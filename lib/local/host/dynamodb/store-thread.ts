import { mkdir } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { StoreCommand, StoreMessage } from './store-worker.ts';

/** A thread that holds the folder of the embedded store. */
export interface StoreThread {
  /** Opens the store, once. @returns where it answers */
  open(): Promise<string>;
  /** Ends the store, and lets go of the folder. */
  close(): Promise<void>;
}

/**
 * Gives the embedded store a thread of its own: its work does not delay the gateway's, and what dynalite throws for a
 * client that hangs up stays there.
 * @returns nothing when another process holds the folder
 * @throws {Error} one line, when the folder's files cannot be opened
 */
export const startStoreThread = async (folder: string, log: Log): Promise<StoreThread | undefined> => {
  await mkdir(folder, { recursive: true });
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), {
    workerData: folder,
    env: {},
    execArgv: [],
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  // Who waits for the thread is told; between its messages nobody does.
  failed.catch(() => {});
  const tell = (command: StoreCommand) => worker.postMessage(command);
  const nextMessage = () =>
    Promise.race([new Promise<StoreMessage>((resolve) => worker.once('message', resolve)), failed]);

  const first = await nextMessage();
  if (!('held' in first) || !first.held) return undefined;
  return {
    open: async () => {
      tell('open');
      const opened = await nextMessage();
      if (!('port' in opened)) throw new Error(`The embedded store in ${folder} does not open`);
      failed.catch((error) => log('store', `stopped: ${error instanceof Error ? error.stack : error}`));
      return `http://127.0.0.1:${opened.port}`;
    },
    close: async () => {
      tell('close');
      await ended;
    },
  };
};
