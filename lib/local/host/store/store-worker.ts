// The thread of the embedded store, started by store.ts. It locks the file, then runs dynalite on a port of 127.0.0.1.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import type { Credentials } from '../signature.ts';
import { createGuard } from '../signature-guard.ts';
import type { QueueDefinition, TableDefinition } from '../template/definitions.ts';
import type { StreamSource } from '../template/event-sources.ts';
import { explainFullDisk } from './data-folder.ts';
import { type Database, openDatabase } from './database.ts';
import type { Backlog, ReceivedMessage } from './queues.ts';
import { removeCopies, serveCopies } from './store-copy.ts';
import type { StreamRecord } from './stream.ts';

export interface StoreData {
  readonly file: string;
  /** Those of the host's own clients. Others are refused. */
  readonly credentials: Credentials;
}

/** The contents of the store. Other records and messages are removed. */
export interface StoreContents {
  readonly tables: readonly TableDefinition[];
  readonly streamSources: readonly StreamSource[];
  readonly queues: readonly QueueDefinition[];
}

/** What the host asks of the store, besides the API of DynamoDB. `now` is the host's time. */
export interface StoreCalls {
  /** Gives the oldest records of a source. */
  readRecords(source: StreamSource): Promise<readonly StreamRecord[]>;
  /** Removes the records of a source up to and including one. */
  removeRecords(source: StreamSource, last: StreamRecord): Promise<void>;
  /** @returns the message's id */
  sendMessage(queue: string, body: string, now: number): Promise<string>;
  receiveMessage(queue: QueueDefinition, now: number): Promise<ReceivedMessage>;
  removeMessage(id: string): Promise<void>;
  /** The queues with messages, and the tables with records for a stream's source. */
  readBacklogs(): Promise<readonly Backlog[]>;
  /** Removes the expired items of a table. */
  removeExpired(table: TableDefinition, now: number): Promise<void>;
}

/** A call from the other thread. */
interface StoreCall {
  readonly call: number;
  readonly method: keyof StoreCalls;
  readonly args: readonly unknown[];
}

/** A command to this thread. Opened without contents, the store keeps those of the last service. */
export type StoreCommand = { readonly open: StoreContents | undefined } | StoreCall | 'close';

/**
 * A message from this thread. First, it says whether it has locked the file. After `open`, it gives the port. Then it sends
 * the results of calls, and the name of a stream's source or a queue after each arrival. It sends lines for the log at any time.
 */
export type StoreMessage =
  | { readonly locked: boolean }
  | { readonly port: number }
  | { readonly line: string }
  | { readonly arrived: string }
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly error: string };

const { file, credentials }: StoreData = workerData;

const say = (message: StoreMessage) => parentPort?.postMessage(message);
const report = (line: string) => say({ line });

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The damage of the file. Leaves out the message of a SyntaxError, which shows personal data. */
const damageOf = (error: unknown): string | undefined => {
  if (error instanceof SyntaxError) return 'an entry is not JSON';
  if (error instanceof v.ValiError) return 'an entry is damaged, or from another version of the service';
  return error instanceof Error && 'errcode' in error ? error.message : undefined;
};

/** Turns an error of the database into one that says what to do. */
const advise = (error: unknown): unknown => {
  const advised = explainFullDisk(file, error);
  const damage = damageOf(error);
  if (advised !== error || damage === undefined) return advised;
  return new Error(
    `The embedded store ${file} cannot be used (${damage}): restore the data directory from a copy, or move it away to start with empty tables`,
  );
};

/** @throws {Error} one line that says what to do */
const fail = (error: unknown): never => {
  throw advise(error);
};

/** Whether the store serves. Before, an error of a write ends the start, and says why. */
let isOpen = false;

const lock = (): Database | undefined => {
  try {
    return openDatabase(file, (line) => {
      if (isOpen) report(line);
    });
  } catch (error) {
    return fail(error);
  }
};

const serve = async (database: Database) => {
  removeCopies(file);
  // Loads while the host synthesizes the stack.
  const [{ createEngine }, { createEntries, createTables }, { createExpiry }, { createQueues }, { createStream }] =
    await Promise.all([
      import('./engine.ts'),
      import('./entries.ts'),
      import('./expiry.ts'),
      import('./queues.ts'),
      import('./stream.ts'),
    ]);
  // dynalite throws when a client hangs up in the middle of a request, as a function does after a timeout.
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error;
  });
  const arrived = (name: string) => say({ arrived: name });
  const entries = createEntries(database);
  const queues = createQueues(database, arrived, report);
  const stream = createStream(database, entries, arrived);
  const engine = createEngine(entries, stream.onItemWrite, (error) => report(messageOf(advise(error))));
  const server = createServer(createGuard(credentials, serveCopies(file, database, engine.handle)));

  const calls: StoreCalls = {
    readRecords: stream.read,
    removeRecords: stream.remove,
    sendMessage: (queue, body, now) => database.write(() => queues.send(queue, body, now)),
    receiveMessage: queues.receive,
    removeMessage: queues.remove,
    readBacklogs: async () => [
      ...queues.backlogs(),
      ...stream.backlogs().map((backlog) => ({ ...backlog, messages: 0 })),
    ],
    removeExpired: createExpiry(entries, engine),
  };

  const perform = async ({ call, method, args }: StoreCall) => {
    try {
      say({ call, result: await Reflect.apply(calls[method], undefined, args) });
    } catch (error) {
      say({ call, error: messageOf(advise(error)) });
    }
  };

  const open = async (contents: StoreContents | undefined) => {
    if (contents) {
      const begin = () => {
        createTables(entries, file, contents.tables);
        return stream.begin(contents.streamSources) + queues.begin(contents.queues);
      };
      const removed = await database.write(begin).catch(fail);
      if (removed > 0) report(`records and messages of deleted streams and queues removed: ${removed}`);
    }
    isOpen = true;
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') say({ port: address.port });
    });
  };

  const close = async () => {
    server.close();
    server.closeAllConnections();
    await database.close();
    process.exit();
  };

  parentPort?.on('message', async (command: StoreCommand) => {
    if (command === 'close') await close();
    else if ('open' in command) await open(command.open);
    else await perform(command);
  });
};

const database = lock();
say({ locked: database !== undefined });
if (database) await serve(database).catch(fail);
