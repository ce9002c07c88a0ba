import { randomUUID } from 'node:crypto';
import { LoggableError, type TimeoutAfter } from '../shared/calls.ts';
import { type CallLimits, callAws } from './aws-call.ts';
import { countBytes } from './daily-limit.ts';
import { filesBucket, type NewFile } from './file.ts';
import { type ObjectId, urlOf } from './s3.ts';

/** Where files go, and how many bytes a day. */
export interface FileStore {
  readonly bucket: string;
  /** The table of contact requests. */
  readonly table: string;
  readonly dailyBytes: number;
  /** Of what a defence caught. */
  readonly caughtDailyBytes: number;
  readonly timeoutAfter: TimeoutAfter;
}

/** A file counts for this many bytes at least, since a scan has a price for each file, too: docs/costs.md. */
const leastCounted = 100_000;

/** Milliseconds for an attempt to count or to put. With its repeats, each fits into the function's time. */
const timeouts = { count: 1_200, put: 2_500 } as const;

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

/** @throws {LoggableError} */
const put = async (
  object: ObjectId,
  { name, type, content, sha256 }: NewFile,
  now: Date,
  limits: CallLimits,
): Promise<void> => {
  const headers = { 'content-type': type, 'content-disposition': dispositionOf(name) };
  const call = { service: 's3', method: 'PUT', url: urlOf(object), headers, body: content, sha256 } as const;
  const { status } = await callAws(call, now, limits);
  if (status !== 200) throw new LoggableError(`s3: HTTP ${status}`);
};

type Outcome =
  /** With the random part of their keys. */
  | { readonly outcome: 'stored'; readonly upload: string }
  | { readonly outcome: 'refused' }
  /** With what a log may hold. */
  | { readonly outcome: 'failed'; readonly reason: string };

interface NewContactFiles {
  readonly contactId: string;
  /** A defence caught the contact request. */
  readonly isCaught: boolean;
  readonly files: readonly NewFile[];
}

/**
 * Stores the files of a contact request that is stored after them. `refused`: they would exceed the limit of the day.
 * @param signal aborts when the function's time is over
 */
export const storeFiles = async (
  { contactId, isCaught, files }: NewContactFiles,
  { bucket, table, dailyBytes, caughtDailyBytes, timeoutAfter }: FileStore,
  now: Date,
  signal: AbortSignal,
): Promise<Outcome> => {
  const upload = randomUUID();
  const bytes = files.reduce((sum, { size }) => sum + Math.max(size, leastCounted), 0);
  const counted = isCaught
    ? ({ counter: 'caught', limit: caughtDailyBytes } as const)
    : ({ counter: 'all', limit: dailyBytes } as const);
  const limitsOf = (attemptTimeout: number) => ({ attemptTimeout, timeoutAfter, signal });
  try {
    if (!(await countBytes({ table, bytes, ...counted }, now, limitsOf(timeouts.count)))) return { outcome: 'refused' };
    await Promise.all(
      files.map((file, index) =>
        put({ bucket, key: filesBucket.keyOf(contactId, upload, index) }, file, now, limitsOf(timeouts.put)),
      ),
    );
    return { outcome: 'stored', upload };
  } catch (error) {
    if (!(error instanceof LoggableError)) throw error;
    return { outcome: 'failed', reason: error.reason };
  }
};
