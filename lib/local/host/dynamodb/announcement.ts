import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import { callStore, type StoreAddress } from './store-call.ts';

const name = 'store.json';

/** What a running service leaves in its data directory for other processes. */
const announcementSchema = v.object({
  endpoint: v.string(),
  accessKeyId: v.string(),
  pid: v.number(),
  /** The stack's outputs, by name; an earlier version has told none. */
  outputs: v.optional(v.record(v.string(), v.string()), {}),
  /** Where the other AWS services answer the same credential, when the stack has any. */
  services: v.optional(v.string()),
});

type Announcement = Readonly<v.InferOutput<typeof announcementSchema>>;

/** Tells other processes of the store that this one serves from the data directory. */
export const announceStore = (dataDir: string, announced: Omit<Announcement, 'pid'>): Promise<void> =>
  writeOwnFile(dataDir, name, { ...announced, pid: process.pid } satisfies Announcement);

/** Takes back what this process has announced, or one that was killed has left. */
export const withdrawStore = (dataDir: string): Promise<void> => rm(join(dataDir, name), { force: true });

/** Who has taken the port of a service that was killed may say nothing at all, in milliseconds. */
const patience = 5000;

const answers = async (address: StoreAddress): Promise<boolean> => {
  try {
    const answer = await callStore(address, 'ListTables', {}, AbortSignal.timeout(patience));
    return v.is(v.object({ TableNames: v.unknown() }), answer);
  } catch {
    return false;
  }
};

/**
 * What the service that runs on the data directory has announced; one that was killed has left it and does not answer.
 * @throws {Error} one line, when what is announced cannot be read
 */
export const findAnnouncedStore = async (dataDir: string): Promise<Announcement | undefined> => {
  const announcement = await readOwnFile(dataDir, name, announcementSchema);
  return announcement && (await answers(announcement)) ? announcement : undefined;
};
