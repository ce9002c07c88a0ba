import { LoggableError, type TimeoutAfter } from '../shared/calls.ts';
import { log } from '../shared/log.ts';
import { type CallLimits, callAws } from './aws-call.ts';
import { type ContactFile, filesBucket } from './file.ts';
import { type ObjectId, signedUrl, urlOf } from './s3.ts';
import { type FileState, fileStateOf } from './state.ts';

/** Where the files of contact requests are. */
export interface ShownFiles {
  readonly bucket: string;
  /** New files are scanned. */
  readonly scan: boolean;
  readonly timeoutAfter: TimeoutAfter;
}

/** A file as staff get it. */
export interface ShownFile extends ContactFile {
  readonly state: FileState;
  /** Gets the file, for some minutes. Absent if nobody may get it, or if it is gone. */
  readonly url?: string;
}

/** Seconds. */
const urlLifetime = 300;

/** Milliseconds for an attempt to read the tags of a file. */
const tagsTimeout = 1_200;

const scanTag = new RegExp(`<Key>${filesBucket.scanTag}</Key>\\s*<Value>(?<value>\\w*)</Value>`);

/**
 * @returns the value of the scanner's tag; an empty text if there is none; undefined if the file is gone
 * @throws {LoggableError} if S3 says anything else
 */
const readScan = async (object: ObjectId, now: Date, limits: CallLimits): Promise<string | undefined> => {
  const url = urlOf(object);
  url.search = 'tagging=';
  const { status, text } = await callAws({ service: 's3', method: 'GET', url }, now, limits);
  if (status === 404) return undefined;
  if (status !== 200) throw new LoggableError(`s3: HTTP ${status}`);
  return scanTag.exec(text)?.groups?.['value'] ?? '';
};

/** The policy of the bucket gives nobody what is infected, or what waits for a scan. */
const showFile = async (
  file: ContactFile,
  object: ObjectId,
  now: Date,
  scan: boolean,
  limits: CallLimits,
): Promise<ShownFile> => {
  try {
    const scanned = await readScan(object, now, limits);
    if (scanned === undefined) return { ...file, state: 'unknown' };
    const state = fileStateOf(scanned, scan);
    if (state === 'infected' || state === 'pending') return { ...file, state };
    return { ...file, state, url: await signedUrl(object, now, urlLifetime) };
  } catch (error) {
    if (!(error instanceof LoggableError)) throw error;
    // Staff must see the contact request even if nobody can say what its files are. Of what is gone, S3 says 403 to whoever may not
    // list the bucket.
    log('warn', 'state of a file not read', { reason: error.reason });
    return { ...file, state: 'unknown' };
  }
};

/**
 * What staff may do with the files of a contact request.
 * @param upload the random part of their keys
 */
export const showFiles = (
  files: readonly ContactFile[],
  { contactId, upload }: { readonly contactId: string; readonly upload: string },
  { bucket, scan, timeoutAfter }: ShownFiles,
  now: Date,
  signal: AbortSignal,
): Promise<ShownFile[]> => {
  const limits = { attemptTimeout: tagsTimeout, timeoutAfter, signal };
  return Promise.all(
    files.map((file, index) =>
      showFile(file, { bucket, key: filesBucket.keyOf(contactId, upload, index) }, now, scan, limits),
    ),
  );
};
