import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { type Log, logToStderr } from '../log.ts';
import { type Assembly, readTemplate, type Template } from '../template/template.ts';
import { createTables } from './store-tables.ts';
import type { StoreMessage } from './store-worker.ts';

/** The DynamoDB of a data directory. */
export interface Store {
  /** Where it answers; it takes any credentials and any region. */
  readonly endpoint: string;
  /** The tables' names in the store, by their logical id and by each output that names them. */
  readonly tables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Which data directory, and the stack whose tables it holds. */
export interface StoreOptions {
  /** The folder of everything that this service keeps on the machine. */
  readonly dataDir: string;
  /** Synthesizes the stack whose tables these are; called once the data directory is known to be free. */
  readonly synthesize: () => Promise<Assembly>;
  /** @defaultValue standard error */
  readonly log?: Log | undefined;
}

/** What a running service leaves in its data directory for other processes. */
const announcementSchema = v.object({
  endpoint: v.string(),
  pid: v.number(),
  tables: v.record(v.string(), v.string()),
});

const announcementFile = (dataDir: string) => join(dataDir, 'store.json');

const answers = async (endpoint: string): Promise<boolean> => {
  try {
    return (await (await fetch(endpoint)).text()).startsWith('healthy');
  } catch {
    return false;
  }
};

/** What the service that runs on the data directory has announced; one that was killed has left it and does not answer. */
const findRunning = async (dataDir: string) => {
  const text = await readFile(announcementFile(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const announcement = v.parse(announcementSchema, JSON.parse(text));
  return (await answers(announcement.endpoint)) ? announcement : undefined;
};

/**
 * Runs dynalite in a thread of its own: its work does not delay the gateway's, and what it throws for a client that
 * hangs up stays there.
 * @returns nothing when another process holds the folder
 */
const startThread = async (folder: string, log: Log) => {
  await mkdir(folder, { recursive: true });
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), { workerData: folder, execArgv: [] });
  const message = await new Promise<StoreMessage>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if ('locked' in message) return undefined;
  worker.on('error', (error) => log('store', `stopped: ${error instanceof Error ? error.stack : error}`));
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  return {
    endpoint: `http://127.0.0.1:${message.port}`,
    close: async () => {
      worker.postMessage('close');
      await ended;
    },
  };
};

const tableNames = ({ tables, outputs }: Template) => {
  const names = new Set(tables.map(({ name }) => name));
  return {
    ...Object.fromEntries(tables.map(({ logicalId, name }) => [logicalId, name])),
    ...Object.fromEntries(Object.entries(outputs).filter(([, value]) => names.has(value))),
  };
};

const openEmbedded = async ({ dataDir, synthesize, log = logToStderr }: StoreOptions) => {
  const folder = join(dataDir, 'dynamodb');
  const thread = await startThread(folder, log);
  if (!thread) return undefined;
  try {
    const template = await readTemplate(await synthesize());
    await createTables(thread.endpoint, folder, template.tables);
    return { ...thread, template, tables: tableNames(template) };
  } catch (error) {
    await thread.close();
    throw error;
  }
};

/**
 * Opens the store for the service that runs on the data directory, and announces it to other processes.
 * @throws {Error} one line, when another process holds the data directory or its tables do not fit the template
 */
export const startStore = async (options: StoreOptions): Promise<Store & { readonly template: Template }> => {
  const { dataDir } = options;
  const store = await openEmbedded(options);
  if (!store) {
    const running = await findRunning(dataDir);
    throw new Error(
      `The data directory ${dataDir} is in use by ${running ? `process ${running.pid}` : 'another process'}: stop that, or choose another directory`,
    );
  }
  const file = announcementFile(dataDir);
  const announcement: v.InferOutput<typeof announcementSchema> = {
    endpoint: store.endpoint,
    pid: process.pid,
    tables: store.tables,
  };
  await writeFile(`${file}.new`, JSON.stringify(announcement));
  await rename(`${file}.new`, file);
  return {
    ...store,
    close: async () => {
      await rm(file, { force: true });
      await store.close();
    },
  };
};

/**
 * Opens the store of a data directory from beside the service: the running one's, when a service runs, else the store
 * itself, with its tables made.
 * @throws {Error} one line, when another process holds the data directory and gives no access
 */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  const { dataDir } = options;
  const opened = await openEmbedded(options);
  if (opened) return opened;
  const running = await findRunning(dataDir);
  if (!running) {
    throw new Error(`The data directory ${dataDir} is in use by another process: try again when that has ended`);
  }
  return { endpoint: running.endpoint, tables: running.tables, close: async () => {} };
};
