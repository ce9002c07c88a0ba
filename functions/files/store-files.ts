import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { errorName, send, type TimeoutAfter } from '../shared/calls.ts';
import type { Table } from '../shared/dynamodb.ts';
import { countBytes } from './daily-limit.ts';
import { filesBucket, type NewFile } from './file.ts';
import { type ObjectId, signedCall } from './s3.ts';

/** Where files go, and how many bytes a day. */
export interface FileStore {
  readonly bucket: string;
  /** The table of contact requests. */
  readonly contacts: Table;
  readonly dailyBytes: number;
  /** Of what a defence caught. */
  readonly caughtDailyBytes: number;
  readonly timeoutAfter: TimeoutAfter;
}

/** Milliseconds for an attempt. All of them fit into the function's time. */
const attemptTimeout = 2_500;

const maxAttempts = 3;

/** Milliseconds before another attempt. */
const pause = 100;

/** Characters that stand for themselves in a header's quoted text and in a file's name. */
const asciiName = (name: string): string => name.replaceAll(/[^\w .()-]/g, '_');

/** https://www.rfc-editor.org/rfc/rfc8187#section-3.2 */
const extendedName = (name: string): string =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Browsers save it, and show it nowhere: https://www.rfc-editor.org/rfc/rfc6266 */
const dispositionOf = (name: string): string =>
  `attachment; filename="${asciiName(name)}"; filename*=UTF-8''${extendedName(name)}`;

/** @returns why it failed; undefined if it did not */
const put = async (
  object: ObjectId,
  { name, type, content, sha256 }: NewFile,
  now: Date,
  signal: AbortSignal,
): Promise<string | undefined> => {
  try {
    const call = await signedCall('PUT', object, now, {
      headers: {
        'content-type': type,
        'content-disposition': dispositionOf(name),
        'content-length': String(content.length),
      },
      sha256,
    });
    const response = await send({ ...call, body: content }, signal);
    response.destroy();
    return response.statusCode === 200 ? undefined : `HTTP ${response.statusCode}`;
  } catch (error) {
    return signal.aborted ? 'no response' : errorName(error);
  }
};

const putWithRetries = async (
  object: ObjectId,
  file: NewFile,
  now: Date,
  { timeoutAfter }: FileStore,
  signal: AbortSignal,
): Promise<string | undefined> => {
  let reason: string | undefined;
  for (let attempt = 0; attempt < maxAttempts && !signal.aborted; attempt += 1) {
    if (attempt > 0) await setTimeout(pause);
    reason = await put(object, file, now, AbortSignal.any([signal, timeoutAfter(attemptTimeout)]));
    if (reason === undefined) return undefined;
  }
  return reason ?? 'no time';
};

type Outcome =
  /** With the random part of their keys. */
  | { readonly outcome: 'stored'; readonly upload: string }
  | { readonly outcome: 'over the limit' }
  /** With what a log may hold. */
  | { readonly outcome: 'failed'; readonly reason: string };

/**
 * Stores the files of a contact request that is stored after them.
 * @param contact its id, and whether a defence caught it
 * @param signal aborts when the function's time is over
 */
export const storeFiles = async (
  files: readonly NewFile[],
  contact: { readonly id: string; readonly isCaught: boolean; readonly createdAt: Date },
  store: FileStore,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { id, isCaught, createdAt } = contact;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const [counter, limit] = isCaught
    ? (['caught', store.caughtDailyBytes] as const)
    : (['all', store.dailyBytes] as const);
  if (!(await countBytes(store.contacts, counter, bytes, limit, createdAt))) return { outcome: 'over the limit' };
  const upload = randomUUID();
  const reasons = await Promise.all(
    files.map((file, index) => {
      const object = { bucket: store.bucket, key: filesBucket.keyOf(id, upload, index) };
      return putWithRetries(object, file, createdAt, store, signal);
    }),
  );
  const reason = reasons.find((each) => each !== undefined);
  return reason === undefined ? { outcome: 'stored', upload } : { outcome: 'failed', reason };
};
