import * as v from 'valibot';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import { callStore, type StoreAddress } from './store-call.ts';

const name = 'store.json';

/** What a service leaves in its data directory for other processes, also when it has ended. */
const announcementSchema = v.object({
  endpoint: v.string(),
  accessKeyId: v.string(),
  pid: v.number(),
  /** The stack's outputs, by name. */
  outputs: v.record(v.string(), v.string()),
});

type Announcement = Readonly<v.InferOutput<typeof announcementSchema>>;

/** A stack's outputs, by name. */
export type Outputs = Announcement['outputs'];

/** Tells other processes of the store that this one serves from the data directory. */
export const announceStore = (dataDir: string, announced: Omit<Announcement, 'pid'>): Promise<void> =>
  writeOwnFile(dataDir, name, JSON.stringify({ ...announced, pid: process.pid } satisfies Announcement));

const read = (dataDir: string) => readOwnFile(dataDir, name, announcementSchema);

/**
 * The outputs of the stack that was last served from the data directory; nothing if none was.
 * @throws {Error} one line, if they cannot be read
 */
export const readKeptOutputs = async (dataDir: string): Promise<Outputs | undefined> => (await read(dataDir))?.outputs;

/** Another program that has the port of a service that ended may say nothing at all, in milliseconds. */
const patience = 5000;

/** What a store says of a table that it does not have. */
const noTableSchema = v.object({ __type: v.pipe(v.string(), v.endsWith('#ResourceNotFoundException')) });

const answers = async (address: StoreAddress): Promise<boolean> => {
  try {
    // Not ListTables, for which dynalite reads all that is stored.
    const answer = await callStore(address, 'DescribeTable', { TableName: 'none' }, AbortSignal.timeout(patience));
    return v.is(noTableSchema, answer);
  } catch {
    return false;
  }
};

/**
 * What the service that runs on the data directory has announced; one that has ended does not answer.
 * @throws {Error} one line, if the announcement cannot be read
 */
export const findAnnouncedStore = async (dataDir: string): Promise<Announcement | undefined> => {
  const announcement = await read(dataDir);
  return announcement && (await answers(announcement)) ? announcement : undefined;
};
