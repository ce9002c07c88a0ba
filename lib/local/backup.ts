import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { StoreAddress } from './host/store/announcement.ts';
import { askForCopy, isCopy } from './host/store/store-copy.ts';
import { tarEnd, tarHeader, tarPadding } from './tar.ts';

/** What the service makes again, what is only true while it runs, copies of emails, and what programs keep in a home folder. */
const isLeftOut = (name: string) =>
  /^(cdk\.out|compile-cache|mail|store\..*|\..*)$/.test(name) || name.endsWith('.new') || isCopy(name);

/** The files of the data directory, besides the store, by their paths in it. */
const filesIn = async (dataDir: string): Promise<string[]> => {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dataDir, sep).length))
    .filter((path) => !path.split(sep).some((part, at) => (at === 0 ? isLeftOut(part) : part.endsWith('.new'))))
    .toSorted();
};

/** A file that may have been deleted since it was listed. */
const openUnlessGone = async (path: string): Promise<FileHandle | undefined> => {
  try {
    return await open(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};

/** An entry of the archive, as long as the file is now, even if it grows meanwhile. */
async function* entryOf(path: string, name: string): AsyncGenerator<Buffer> {
  await using file = await openUnlessGone(path);
  if (!file) return;
  const { size, mtime } = await file.stat();
  yield tarHeader({ name: name.replaceAll(sep, '/'), size, mtime });
  const buffer = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at);
    if (bytesRead === 0) throw new Error(`${path} became shorter meanwhile: try again.`);
    // The reader keeps no chunk.
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
  yield tarPadding(size);
}

/**
 * All data of the local service as an archive for `tar`, whether the service runs or not: the store as of now, then files and
 * secrets. A file lies there before the contact request that names it is in the store, so a copy of the store that is older
 * than the files lacks none.
 * @throws {Error} one line
 */
export async function* backUp(dataDir: string, store: StoreAddress): AsyncGenerator<Buffer> {
  const copy = await askForCopy(store);
  try {
    yield* entryOf(copy, 'store.db');
  } finally {
    await rm(copy, { force: true });
  }
  for (const path of await filesIn(dataDir)) yield* entryOf(join(dataDir, path), path);
  yield tarEnd;
}
