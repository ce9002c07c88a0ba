import { request } from 'node:http';
import * as v from 'valibot';
import { region } from '../template/intrinsics.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';

/** A store, and the credential that it answers. */
export interface StoreAddress {
  readonly endpoint: string;
  /** Made anew with each start; any secret goes with it, since the store checks no signature. */
  readonly accessKeyId: string;
}

const name = 'store.json';

/** A service's note for other processes in its data directory. It stays when the service has ended. */
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

/** Leaves a note for other processes of the store that this one serves from the data directory. */
export const announceStore = (dataDir: string, announced: Omit<Announcement, 'pid'>): Promise<void> =>
  writeOwnFile(dataDir, name, JSON.stringify({ ...announced, pid: process.pid } satisfies Announcement));

const read = (dataDir: string) => readOwnFile(dataDir, name, announcementSchema);

/**
 * The outputs of the stack that was last served from the data directory; nothing if none was.
 * @throws {Error} one line, if they cannot be read
 */
export const readSavedOutputs = async (dataDir: string): Promise<Outputs | undefined> => (await read(dataDir))?.outputs;

/** How long to wait for an answer, in milliseconds: another program that has the port by now may give none. */
const patience = 5000;

/** Whether the store of a service that may have ended answers. */
const answers = ({ endpoint, accessKeyId }: StoreAddress): Promise<boolean> =>
  new Promise((resolve) => {
    const outgoing = request(endpoint, {
      // Node's global agent may go through a proxy.
      agent: false,
      signal: AbortSignal.timeout(patience),
      headers: {
        Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20000101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=local`,
      },
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
 * The note of the service that runs on the data directory, if one runs.
 * @throws {Error} one line, if the announcement cannot be read
 */
export const findAnnouncedStore = async (dataDir: string): Promise<Announcement | undefined> => {
  const announcement = await read(dataDir);
  return announcement && (await answers(announcement)) ? announcement : undefined;
};
