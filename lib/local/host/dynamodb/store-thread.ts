import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { StoreAddress } from './store-call.ts';
import type { StoreCommand, StoreData, StoreMessage } from './store-worker.ts';

/** A thread that holds the folder of the embedded store. */
export interface StoreThread {
  /** Opens the store, once. @returns where it answers */
  open(): Promise<StoreAddress>;
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
  const workerData: StoreData = { folder, accessKeyId: randomBytes(20).toString('hex') };
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), {
    workerData,
    env: {},
    execArgv: [],
    // V8 lets it grow to 96 MB, and gives none of it back.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  // Who waits for the thread is told; between its messages nobody does.
  failed.catch(() => {});
  const held = Promise.withResolvers<boolean>();
  const port = Promise.withResolvers<number>();
  worker.on('message', (message: StoreMessage) => {
    if ('held' in message) held.resolve(message.held);
    else if ('port' in message) port.resolve(message.port);
    else log('store', message.line);
  });
  const tell = (command: StoreCommand) => worker.postMessage(command);

  if (!(await Promise.race([held.promise, failed]))) return undefined;
  return {
    open: async () => {
      tell('open');
      const endpoint = `http://127.0.0.1:${await Promise.race([port.promise, failed])}`;
      failed.catch((error) => log('store', `stopped: ${error instanceof Error ? error.stack : error}`));
      return { endpoint, accessKeyId: workerData.accessKeyId };
    },
    close: async () => {
      tell('close');
      await ended;
    },
  };
};
