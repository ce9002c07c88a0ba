import { errorName, LoggableError, send, type TimeoutAfter } from '../shared/calls.ts';
import { log } from '../shared/log.ts';
import { type ContactFile, filesBucket } from './file.ts';
import { type ObjectId, signedCall, signedUrl } from './s3.ts';

/** Where the files of contact requests are. */
export interface ShownFiles {
  readonly bucket: string;
  /** New files are scanned. */
  readonly scan: boolean;
  readonly timeoutAfter: TimeoutAfter;
}

/** What a scanner said of a file. `unknown`: nothing scanned it, or the scanner could not. */
export type FileState = 'clean' | 'infected' | 'pending' | 'unknown';

/** A file as staff get it. */
export interface ShownFile extends ContactFile {
  readonly state: FileState;
  /** Gets the file, for some minutes. Absent if nobody may get it, or if it is gone. */
  readonly url?: string;
}

/** Seconds. */
const urlLifetime = 300;

/** Milliseconds for reading the tags of a file. */
const tagsTimeout = 2_000;

/** Characters of a response: a file has at most ten tags. */
const maxResponseLength = 16 * 1024;

/** https://docs.aws.amazon.com/guardduty/latest/ug/monitor-enable-s3-object-tagging-malware-protection.html */
const states: Readonly<Record<string, FileState>> = { NO_THREATS_FOUND: 'clean', THREATS_FOUND: 'infected' };

const scanTag = new RegExp(`<Key>${filesBucket.scanTag}</Key>\\s*<Value>(?<value>\\w*)</Value>`);

/**
 * @returns the value of the scanner's tag; an empty text if there is none; undefined if the file is gone
 * @throws {LoggableError} if S3 says anything else
 */
const readScan = async (object: ObjectId, now: Date, signal: AbortSignal): Promise<string | undefined> => {
  const response = await send(await signedCall('GET', object, now, { query: { tagging: '' } }), signal);
  if (response.statusCode !== 200) {
    response.destroy();
    if (response.statusCode === 404) return undefined;
    throw new LoggableError(`HTTP ${response.statusCode}`);
  }
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > maxResponseLength) throw new LoggableError('response too long');
  }
  return scanTag.exec(text)?.groups?.['value'] ?? '';
};

const stateOf = (scanned: string, scan: boolean): FileState =>
  states[scanned] ?? (scanned === '' && scan ? 'pending' : 'unknown');

/** The policy of the bucket gives nobody what is infected, or what waits for a scan. */
const showFile = async (
  file: ContactFile,
  object: ObjectId,
  now: Date,
  { scan, timeoutAfter }: ShownFiles,
): Promise<ShownFile> => {
  try {
    const scanned = await readScan(object, now, timeoutAfter(tagsTimeout));
    if (scanned === undefined) return { ...file, state: 'unknown' };
    const state = stateOf(scanned, scan);
    if (state === 'infected' || state === 'pending') return { ...file, state };
    return { ...file, state, url: await signedUrl(object, now, urlLifetime) };
  } catch (error) {
    // Staff must see the contact request even if nobody can say what its files are.
    log('error', 'tags of a file not read', {
      reason: error instanceof LoggableError ? error.reason : errorName(error),
    });
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
  now: Date,
  options: ShownFiles,
): Promise<ShownFile[]> =>
  Promise.all(
    files.map((file, index) => {
      const object = { bucket: options.bucket, key: filesBucket.keyOf(contactId, upload, index) };
      return showFile(file, object, now, options);
    }),
  );
