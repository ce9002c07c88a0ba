import { request } from 'node:http';
import * as v from 'valibot';
import type { Credentials } from '../signature.ts';
import { signedHeaders } from '../signature-guard.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';

/** A store, and the credentials that it accepts, which are new at each start. */
export interface StoreAddress extends Credentials {
  readonly endpoint: string;
}

const name = 'store.json';

/** The address of a service's store, for other processes. The file stays after the service has ended. */
const announcementSchema = v.object({
  endpoint: v.string(),
  accessKeyId: v.string(),
  /** 4.0.0 accepts any. */
  secretAccessKey: v.optional(v.string(), 'local'),
  /** Where S3 is served. Absent in the announcement of an earlier version. */
  services: v.optional(v.string()),
  pid: v.number(),
  /** The stack's outputs, by name. */
  outputs: v.record(v.string(), v.string()),
});

type Announcement = Readonly<v.InferOutput<typeof announcementSchema>>;

/** A stack's outputs, by name. */
export type Outputs = Announcement['outputs'];

/** Announces the store of this process to other processes. */
export const announceStore = (dataDir: string, announced: Omit<Announcement, 'pid'>): Promise<void> =>
  writeOwnFile(dataDir, name, JSON.stringify({ ...announced, pid: process.pid } satisfies Announcement));

const read = (dataDir: string) => readOwnFile(dataDir, name, announcementSchema, 'restart the service');

/**
 * The outputs of the stack of the last service, or nothing before the first.
 * @throws {Error} one line if they cannot be read
 */
export const readSavedOutputs = async (dataDir: string): Promise<Outputs | undefined> => (await read(dataDir))?.outputs;

/** Milliseconds to wait for a response. Another program may have the port by now, and never respond. */
const patience = 5000;

const isRunning = ({ endpoint, ...credentials }: StoreAddress): Promise<boolean> =>
  new Promise((resolve) => {
    const outgoing = request(endpoint, {
      // Node's global agent may go through a proxy.
      agent: false,
      signal: AbortSignal.timeout(patience),
      headers: signedHeaders(endpoint, 'dynamodb', credentials),
    });
    outgoing.on('error', () => resolve(false));
    outgoing.on('response', (incoming) => {
      incoming.toArray().then(
        (chunks) => resolve(Buffer.concat(chunks).toString().startsWith('healthy: dynamodb')),
        () => resolve(false),
      );
    });
    outgoing.end();
  });

/**
 * The announcement of a data directory, if its service is running.
 * @throws {Error} one line if the announcement cannot be read
 */
export const findAnnouncedStore = async (dataDir: string): Promise<Announcement | undefined> => {
  const announcement = await read(dataDir);
  return announcement && (await isRunning(announcement)) ? announcement : undefined;
};
