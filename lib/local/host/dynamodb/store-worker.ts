// The thread of the embedded store: holds its folder, then runs dynalite on it, on a port of 127.0.0.1. See
// store-thread.ts.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { createGuard } from '../guard.ts';
import { beginClosing, type Condition, inspect, markClosed, readComplaints, removeMark } from './closing-mark.ts';
import { type Database, openDatabase } from './database.ts';

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

/** @throws {Error} one line, with what to do */
const orAdvise = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    throw new Error(
      `The embedded store in ${folder} cannot be opened (${error instanceof Error ? error.message : error}): restore the folder from a copy, or move it away to start with an empty one`,
    );
  }
};

/** Reads all of a store that was not closed, or not left as it was: some seconds for 100,000 items, beside the synthesis. */
const check = async (database: Database, { closed, damage }: Condition) => {
  const all = [...damage, ...(await readComplaints(folder))];
  if (closed && all.length === 0) return;
  const { mend } = await import('./mend.ts');
  const { items, mended } = await mend(database);
  const what = all.length > 0 ? `is damaged (${all.join(', ')})` : 'was not closed';
  const found = [...items].map(([table, count]) => `${count} in ${table}`).join(', ');
  say({ line: `${what}; it has these items: ${found || 'none'}; ${mended} entries of indexes were put right` });
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
    // Without a mark, as on a full disk, the next start reads all of it.
    const begun = await beginClosing(folder);
    if (await database.close()) await markClosed(folder, begun).catch(() => {});
    process.exit();
  };

  parentPort?.on('message', (command: StoreCommand) => (command === 'open' ? open() : close()));
};

const condition = await orAdvise(() => inspect(folder));
const database = await orAdvise(() => openDatabase(folder, (line) => say({ line })));
say({ held: database !== undefined });
if (database) {
  await removeMark(folder);
  await orAdvise(() => check(database, condition));
  await serve(database);
}
