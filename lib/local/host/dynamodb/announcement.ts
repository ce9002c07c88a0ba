import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { callStore, type StoreAddress } from './store-call.ts';

/** What a running service leaves in its data directory for other processes. */
const announcementSchema = v.object({
  endpoint: v.string(),
  accessKeyId: v.string(),
  pid: v.number(),
  tables: v.record(v.string(), v.string()),
});

type Announcement = Readonly<v.InferOutput<typeof announcementSchema>>;

const fileIn = (dataDir: string) => join(dataDir, 'store.json');

/** Tells other processes of the store that this one serves from the data directory. */
export const announceStore = async (dataDir: string, announced: Omit<Announcement, 'pid'>): Promise<void> => {
  const file = fileIn(dataDir);
  const announcement: Announcement = { ...announced, pid: process.pid };
  // Who reads it finds all of it, or none.
  await writeFile(`${file}.new`, JSON.stringify(announcement), { mode: 0o600 });
  await rename(`${file}.new`, file);
};

/** Takes back what this process has announced, or one that was killed has left. */
export const withdrawStore = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

const answers = async ({ tables, ...address }: StoreAddress & Pick<Announcement, 'tables'>): Promise<boolean> => {
  try {
    const [TableName] = Object.values(tables);
    return v.is(v.object({ Table: v.unknown() }), await callStore(address, 'DescribeTable', { TableName }));
  } catch {
    return false;
  }
};

/** What the service that runs on the data directory has announced; one that was killed has left it and does not answer. */
export const findAnnouncedStore = async (dataDir: string): Promise<Announcement | undefined> => {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const announcement = v.parse(announcementSchema, JSON.parse(text));
  return (await answers(announcement)) ? announcement : undefined;
};
