import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import { createRemote } from '../remote.ts';
import type { QueueCalls } from '../sqs/queue-store.ts';
import type { StoreAddress } from './store-call.ts';
import type { StoreCommand, StoreData, StoreMessage, Telling } from './store-worker.ts';

/** A thread that holds the folder of the embedded store. */
export interface StoreThread {
  /** The queues that are kept in the folder. */
  readonly queues: QueueCalls;
  /** Calls back whenever messages have arrived in a queue. */
  onArrival(act: (queue: string) => void): void;
  /** Opens the store, once. @returns where it answers */
  open(telling?: Telling): Promise<StoreAddress>;
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
  const { NODE_COMPILE_CACHE } = process.env;
  const workerData: StoreData = { folder, accessKeyId: randomBytes(20).toString('hex') };
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), {
    workerData,
    // Of the process's own variables only where Node keeps what it has compiled.
    env: { ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) },
    execArgv: [],
    // V8 lets it grow to 96 MB, and gives none of it back.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  // Who waits for the thread is told; between its messages nobody does.
  failed.catch(() => {});
  let arrived: (queue: string) => void = () => {};
  const remote = createRemote((call) => tell(call));
  void ended.then(remote.end);
  const held = Promise.withResolvers<boolean>();
  const port = Promise.withResolvers<number>();
  worker.on('message', (message: StoreMessage) => {
    if ('held' in message) held.resolve(message.held);
    else if ('port' in message) port.resolve(message.port);
    else if ('arrived' in message) arrived(message.arrived);
    else if ('call' in message) remote.settle(message);
    else log('store', message.line);
  });
  const tell = (command: StoreCommand) => worker.postMessage(command);

  if (!(await Promise.race([held.promise, failed]))) return undefined;
  // What comes back is what the same method gives there.
  const call =
    <Name extends keyof QueueCalls>(name: Name) =>
    (...args: Parameters<QueueCalls[Name]>) =>
      remote.call(name, args) as ReturnType<QueueCalls[Name]>;

  return {
    queues: {
      send: call('send'),
      receive: call('receive'),
      nextDueAt: call('nextDueAt'),
      remove: call('remove'),
      changeVisibility: call('changeVisibility'),
      count: call('count'),
    },
    onArrival: (act) => {
      arrived = act;
    },
    open: async (telling) => {
      tell({ open: telling });
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
