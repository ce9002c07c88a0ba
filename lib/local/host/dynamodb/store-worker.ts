// The thread of the embedded store: holds its folder, then runs dynalite on it, on a port of 127.0.0.1. See
// store-thread.ts.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { adviseRoom } from '../full-disk.ts';
import { createGuard } from '../guard.ts';
import { answerCall, type RemoteAnswer, type RemoteCall } from '../remote.ts';
import type { QueueDefinition } from '../template/definitions.ts';
import { beginClosing, type Condition, inspect, markClosed, readComplaints, removeMark } from './closing-mark.ts';
import { type Database, openDatabase } from './database.ts';
import type { Follow } from './engine.ts';
import type { StreamRoute } from './stream-route.ts';

/** What this thread is given. */
export interface StoreData {
  readonly folder: string;
  /** Whom it answers. */
  readonly accessKeyId: string;
}

/** What follows on changes of tables. */
export interface Telling {
  readonly streamRoutes: readonly StreamRoute[];
  /** No other is kept. */
  readonly queues: readonly QueueDefinition[];
}

/** What this thread is told. Opened without a `telling`, it goes on with that of the service before. */
export type StoreCommand = { readonly open: Telling | undefined } | 'close' | RemoteCall;

/**
 * What this thread says: first whether it holds the folder or another process does; when opened, the store's port; then
 * answers, and the name of a queue in which messages have arrived; at any time, a line for people.
 */
export type StoreMessage =
  | { readonly held: boolean }
  | { readonly port: number }
  | { readonly line: string }
  | { readonly arrived: string }
  | RemoteAnswer;

const { folder, accessKeyId }: StoreData = workerData;

const say = (message: StoreMessage) => parentPort?.postMessage(message);

/** @throws {Error} one line, with what to do */
const orAdvise = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    const advised = adviseRoom(folder, error);
    if (advised !== error) throw advised;
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
  const [{ createEngine }, { createQueueStore }, { createStream }, { keepRoutes, readKeptRoutes }] = await Promise.all([
    import('./engine.ts'),
    import('../sqs/queue-store.ts'),
    import('./stream.ts'),
    import('./kept-routes.ts'),
  ]);
  // dynalite throws when a client hangs up in the middle of a request, as a function does that is ended on a timeout.
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error;
  });
  const arrived = (queue: string) => say({ arrived: queue });
  const queues = createQueueStore(database, arrived);
  let follow: Follow = () => undefined;
  const engine = createEngine(database, (...change) => follow(...change));
  const server = createServer(createGuard(accessKeyId, engine));

  const begin = async (telling: Telling): Promise<readonly StreamRoute[]> => {
    await keepRoutes(database, telling.streamRoutes);
    const removed = await queues.tidy(telling.queues, Date.now());
    if (removed > 0) say({ line: `removed the messages of queues that the stack has no more: ${removed}` });
    return telling.streamRoutes;
  };

  const open = async (telling: Telling | undefined) => {
    follow = createStream(telling ? await begin(telling) : await readKeptRoutes(database), queues, arrived);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') say({ port: address.port });
    });
  };

  const close = async () => {
    server.close();
    server.closeAllConnections();
    // Without a mark, as on a full disk, the next start reads all of it.
    const begun = await beginClosing(folder);
    if (await database.close()) await markClosed(folder, begun).catch(() => {});
    process.exit();
  };

  parentPort?.on('message', async (command: StoreCommand) => {
    if (command === 'close') await close();
    else if ('open' in command) await open(command.open);
    else say(await answerCall(command, queues.calls));
  });
};

const condition = await orAdvise(() => inspect(folder));
const database = await orAdvise(() => openDatabase(folder, (line) => say({ line })));
say({ held: database !== undefined });
if (database) {
  await removeMark(folder);
  await orAdvise(() => check(database, condition));
  await serve(database);
}
