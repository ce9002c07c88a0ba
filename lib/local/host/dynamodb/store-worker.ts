// The thread of the embedded store: holds its folder, then runs dynalite on it, on a port of 127.0.0.1. See
// store-thread.ts.
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** What this thread is told. */
export type StoreCommand = 'open' | 'close';

/** What this thread says: first whether it holds the folder or another process does; when opened, the store's port. */
export type StoreMessage = { readonly held: boolean } | { readonly port: number };

interface Database {
  open(): Promise<void>;
  close(): Promise<void>;
}

const folder: string = workerData;

const require = createRequire(import.meta.url);
const fromDynalite = createRequire(require.resolve('dynalite'));
const { Level }: { Level: new (path: string) => Database } = fromDynalite('level');

const say = (message: StoreMessage) => parentPort?.postMessage(message);

/**
 * Opens the database that dynalite will open, which locks it for this process. dynalite hides why it cannot.
 * @returns nothing when another process holds it
 */
const hold = async (): Promise<Database | undefined> => {
  const database = new Level(folder);
  try {
    await database.open();
    return database;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : new Error(String(error));
    if ('code' in cause && cause.code === 'LEVEL_LOCKED') return undefined;
    throw new Error(`The embedded store in ${folder} cannot be opened: ${cause.message}`);
  }
};

const serve = (database: Database) => {
  // Loaded while the stack is synthesized.
  const dynalite: (options: { path: string; createTableMs: number }) => Server = require('dynalite');
  let server: Server | undefined;
  // dynalite throws when a client hangs up in the middle of a request, as a function does that is ended on a timeout.
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error;
  });

  const open = async () => {
    // The lock goes over to dynalite, which opens the database at once.
    await database.close();
    const opened = dynalite({ path: folder, createTableMs: 0 });
    server = opened;
    opened.listen(0, '127.0.0.1', () => {
      const address = opened.address();
      if (address !== null && typeof address === 'object') say({ port: address.port });
    });
  };

  const close = async () => {
    if (server) {
      server.close(() => process.exit());
      server.closeAllConnections();
    } else {
      await database.close();
      process.exit();
    }
  };

  parentPort?.on('message', (command: StoreCommand) => (command === 'open' ? open() : close()));
};

const database = await hold();
say({ held: database !== undefined });
if (database) serve(database);
