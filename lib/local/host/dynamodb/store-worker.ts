// The thread of the embedded store: dynalite on a folder, on a port of 127.0.0.1. See store.ts.
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** What this thread says once: the port of the store, or that another process holds the folder. */
export type StoreMessage = { readonly port: number } | { readonly locked: true };

const folder: string = workerData;

const require = createRequire(import.meta.url);
const fromDynalite = createRequire(require.resolve('dynalite'));
const { Level }: { Level: new (path: string) => { open(): Promise<void>; close(): Promise<void> } } =
  fromDynalite('level');

/** dynalite opens its database late and hides why it could not: so open it once here. */
const probe = async (): Promise<'free' | 'locked'> => {
  const database = new Level(folder);
  try {
    await database.open();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : new Error(String(error));
    if ('code' in cause && cause.code === 'LEVEL_LOCKED') return 'locked';
    throw new Error(`The embedded store in ${folder} cannot be opened: ${cause.message}`);
  }
  await database.close();
  return 'free';
};

const say = (message: StoreMessage) => parentPort?.postMessage(message);

if ((await probe()) === 'locked') {
  say({ locked: true });
} else {
  const dynalite: (options: { path: string; createTableMs: number }) => Server = require('dynalite');
  const server = dynalite({ path: folder, createTableMs: 0 });
  // dynalite throws when a client hangs up in the middle of a request, as a function does that is ended on a timeout.
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error;
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') say({ port: address.port });
  });
  parentPort?.once('message', () => {
    server.close(() => process.exit());
    server.closeAllConnections();
  });
}
