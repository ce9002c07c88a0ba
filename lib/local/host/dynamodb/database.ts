import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What dynalite stores: an item, an entry of an index, a table. */
export type Stored = Readonly<Record<string, unknown>>;

/** One part of a write. */
export type Operation =
  | { readonly type: 'put'; readonly key: string; readonly value: Stored }
  | { readonly type: 'del'; readonly key: string };

/** Which keys, in their order. */
export interface Range {
  readonly gte?: string;
  readonly lt?: string;
}

interface Reader<Value> extends AsyncIterable<Value> {
  next(): Promise<Value | undefined>;
  close(): Promise<void>;
}

/** What is used of https://github.com/Level/abstract-level, on LevelDB. */
interface Level {
  readonly status: string;
  open(): Promise<void>;
  close(): Promise<void>;
  getSync(key: string): Stored | undefined;
  getMany(keys: readonly string[]): Promise<(Stored | undefined)[]>;
  batch(operations: readonly Operation[]): Promise<void>;
  keys(range: Range): Reader<string>;
  values(range: Range): Reader<Stored>;
  iterator(range: Range): AsyncIterable<[key: string, value: Stored]>;
}

/** The database in the store's folder. */
export interface Database extends Pick<Level, 'getMany' | 'iterator' | 'keys' | 'values'> {
  get(key: string): Promise<Stored | undefined>;
  /** Writes all of it, or nothing. */
  write(operations: readonly Operation[]): Promise<void>;
  /** @returns whether all that was written before is sound */
  close(): Promise<boolean>;
}

/** The `level` that dynalite itself uses. */
const fromDynalite = createRequire(createRequire(import.meta.url).resolve('dynalite'));
const { Level }: { Level: new (path: string, options: object) => Level } = fromDynalite('level');

/** What LevelDB keeps in memory before it writes a table, in bytes: opening may need this much room, and twice. */
const writeBufferSize = 1024 * 1024;

/** @throws {Error} when there is not room enough on the disk to open the database again */
const proveRoom = async (folder: string) => {
  const file = join(folder, 'room');
  try {
    // Random, so that no file system stores less of it.
    await writeFile(file, randomBytes(2 * writeBufferSize));
  } finally {
    await rm(file, { force: true });
  }
};

/**
 * Opens the database, which locks the folder for this process until it is closed.
 *
 * After a write that failed, as on a full disk, LevelDB's log may end in a torn record: what is appended to that would be
 * lost at the next start. So reads go on, and the next write waits until there is room and the database is opened again.
 * @param tell is told of a write that failed, and of the first after it that did not
 * @returns nothing when another process holds the folder
 * @throws {Error} why LevelDB cannot open it
 */
export const openDatabase = async (folder: string, tell: (line: string) => void): Promise<Database | undefined> => {
  const level = new Level(folder, { valueEncoding: 'json', writeBufferSize });
  try {
    await level.open();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : new Error(String(error));
    if ('code' in cause && cause.code === 'LEVEL_LOCKED') return undefined;
    throw cause;
  }

  let sound = true;
  const openAgain = async () => {
    await proveRoom(folder);
    await level.close();
    await level.open();
    sound = true;
    tell('writes again');
  };

  const writeNow = async (operations: readonly Operation[]): Promise<void> => {
    if (!sound) await openAgain();
    try {
      await level.batch(operations);
    } catch (error) {
      sound = false;
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      tell(`cannot write, goes on reading: ${cause instanceof Error ? cause.message : cause}`);
      throw error;
    }
  };

  // One at a time: none follows one that fails. What comes meanwhile is written together, as one.
  let last = Promise.resolve();
  let next: { readonly operations: Operation[]; readonly written: Promise<void> } | undefined;
  const write = (operations: readonly Operation[]): Promise<void> => {
    if (!next) {
      const together: Operation[] = [];
      const written = last.then(() => {
        next = undefined;
        return writeNow(together);
      });
      next = { operations: together, written };
      last = written.catch(() => {});
    }
    next.operations.push(...operations);
    return next.written;
  };

  return {
    get: async (key) => {
      // It is being opened again, or the room was gone again when it was to be.
      if (level.status !== 'open') await write([]);
      // To ask another thread takes far longer than the look.
      return level.getSync(key);
    },
    getMany: (keys) => level.getMany(keys),
    keys: (range) => level.keys(range),
    values: (range) => level.values(range),
    iterator: (range) => level.iterator(range),
    write,
    close: async () => {
      await last;
      await level.close();
      return sound;
    },
  };
};
