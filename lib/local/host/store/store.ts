import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../host-log.ts';
import { findAnnouncedStore, type StoreAddress } from './announcement.ts';
import { makeDataFolder, storeFileIn } from './data-folder.ts';
import type { StoreCalls, StoreCommand, StoreContents, StoreData, StoreMessage } from './store-worker.ts';

/** The locked store of a data directory. */
export interface Store {
  /**
   * Opens the store, once.
   * @param contents @defaultValue those of the last service
   * @returns the address of its DynamoDB, which accepts any region
   * @throws {Error} one line if a stored table has other keys or indexes
   */
  open(contents?: StoreContents): Promise<StoreAddress>;
  readonly calls: StoreCalls;
  /** Calls back with the name of a stream's source or a queue after each arrival of records or messages. */
  onArrival(act: (name: string) => void): void;
  /** Resolves when the store has ended, because it was closed or because of an error, which the log has. Never rejects. */
  readonly ended: Promise<void>;
  /** Closes the store, and unlocks the data directory. */
  close(): Promise<void>;
}

/** Calls the store's thread. @param send sends it a command */
const createCaller = (send: (command: StoreCommand) => void) => {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  let hasEnded = false;
  const toRejection = () => new Error('The store has ended');
  return {
    // The thread sends the result of the same method: hence the cast.
    call:
      <Name extends keyof StoreCalls>(method: Name) =>
      (...args: Parameters<StoreCalls[Name]>) => {
        count += 1;
        const result = Promise.withResolvers<unknown>();
        if (hasEnded) result.reject(toRejection());
        else waiting.set(count, result);
        send({ call: count, method, args });
        return result.promise as ReturnType<StoreCalls[Name]>;
      },
    settle: (message: Extract<StoreMessage, { call: number }>) => {
      const asked = waiting.get(message.call);
      waiting.delete(message.call);
      if ('error' in message) asked?.reject(new Error(message.error));
      else asked?.resolve(message.result);
    },
    end: () => {
      hasEnded = true;
      for (const { reject } of waiting.values()) reject(toRejection());
    },
  };
};

/** Locks the store, unless another process has. */
const tryToLock = async (dataDir: string, log: Log): Promise<Store | undefined> => {
  const { NODE_COMPILE_CACHE } = process.env;
  const random = () => randomBytes(20).toString('hex');
  const credentials = { accessKeyId: random(), secretAccessKey: random() };
  const workerData: StoreData = { file: storeFileIn(dataDir), credentials };
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), {
    workerData,
    // No other variables of the process.
    env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
    execArgv: [],
    // By default, V8's heap for new objects grows to 96 MB, and never shrinks.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  // Between the steps of the start, nobody handles the rejection.
  failed.catch(() => {});
  const send = (command: StoreCommand) => worker.postMessage(command);
  const { call, settle, end } = createCaller(send);
  void ended.then(end);

  let arrived: (name: string) => void = () => {};
  const locked = Promise.withResolvers<boolean>();
  const port = Promise.withResolvers<number>();
  worker.on('message', (message: StoreMessage) => {
    if ('locked' in message) locked.resolve(message.locked);
    else if ('port' in message) port.resolve(message.port);
    else if ('arrived' in message) arrived(message.arrived);
    else if ('call' in message) settle(message);
    else log('store', message.line);
  });
  if (!(await Promise.race([locked.promise, failed]))) return undefined;

  return {
    open: async (contents) => {
      send({ open: contents });
      const endpoint = `http://127.0.0.1:${await Promise.race([port.promise, failed])}`;
      failed.catch((error) =>
        log(
          'store',
          `stopped (${error instanceof Error ? error.message : error}): start again. If it stops again, restore the data directory ${dataDir} from a copy, or move it away to start with empty tables`,
        ),
      );
      return { endpoint, ...credentials };
    },
    calls: {
      readRecords: call('readRecords'),
      removeRecords: call('removeRecords'),
      sendMessage: call('sendMessage'),
      receiveMessage: call('receiveMessage'),
      removeMessage: call('removeMessage'),
      readBacklogs: call('readBacklogs'),
      removeExpired: call('removeExpired'),
    },
    onArrival: (act) => {
      arrived = act;
    },
    ended,
    close: async () => {
      send('close');
      await ended;
    },
  };
};

/** Milliseconds between two attempts to lock the store. */
const pause = 200;

/**
 * Locks the store of a data directory. The store runs in a thread of its own, so that it does not delay the gateway.
 * @param patience milliseconds to wait for a starting service or a command
 * @throws {Error} one line if another process has locked it, or the data directory or the store cannot be used
 */
export const lockStore = async (dataDir: string, log: Log, patience = 0): Promise<Store> => {
  await makeDataFolder(dataDir);
  for (let waited = 0; ; waited += pause) {
    const store = await tryToLock(dataDir, log);
    if (store) return store;
    const holder = await findAnnouncedStore(dataDir);
    if (holder || waited >= patience) {
      throw new Error(
        `The data directory ${dataDir} is in use by ${holder ? `process ${holder.pid}` : 'another process'}: wait until that process has ended, or choose another directory (DATA_DIR)`,
      );
    }
    if (waited === 0) {
      log(
        'store',
        `the local service is starting, or a command uses its data: waiting for up to ${patience / 1000} seconds`,
      );
    }
    await setTimeout(pause);
  }
};
