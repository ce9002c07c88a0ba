// The thread of the embedded store: holds its folder, then runs dynalite on it, on a port of 127.0.0.1. See
// store-thread.ts.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { type Database, openDatabase } from './database.ts';
import { createGuard } from './guard.ts';

/** What this thread is given. */
export interface StoreData {
  readonly folder: string;
  /** Whom it answers. */
  readonly accessKeyId: string;
}

/** What this thread is told. */
export type StoreCommand = 'open' | 'close';

/**
 * What this thread says: first whether it holds the folder or another process does; when opened, the store's port; at
 * any time, a line for people.
 */
export type StoreMessage = { readonly held: boolean } | { readonly port: number } | { readonly line: string };

const { folder, accessKeyId }: StoreData = workerData;

const say = (message: StoreMessage) => parentPort?.postMessage(message);

const hold = async (): Promise<Database | undefined> => {
  try {
    return await openDatabase(folder, (line) => say({ line }));
  } catch (error) {
    throw new Error(
      `The embedded store in ${folder} cannot be opened: ${error instanceof Error ? error.message : error}`,
    );
  }
};

const serve = async (database: Database) => {
  // Loaded while the stack is synthesized.
  const { createEngine } = await import('./engine.ts');
  // dynalite throws when a client hangs up in the middle of a request, as a function does that is ended on a timeout.
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error;
  });
  const server = createServer(createGuard(accessKeyId, createEngine(database)));

  const open = () =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') say({ port: address.port });
    });

  const close = async () => {
    server.close();
    server.closeAllConnections();
    await database.close();
    process.exit();
  };

  parentPort?.on('message', (command: StoreCommand) => (command === 'open' ? open() : close()));
};

const database = await hold();
say({ held: database !== undefined });
if (database) await serve(database);
