import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';

/** What is kept with an object's content. */
const propertiesSchema = v.object({
  /** The headers that came with it and go out with it. */
  headers: v.record(v.string(), v.string()),
  /** The MD5 of the content. */
  etag: v.string(),
  /** When it was put, in milliseconds since the epoch. */
  time: v.number(),
});

type Properties = Readonly<v.InferOutput<typeof propertiesSchema>>;

/** An object without its content. */
export interface ObjectSummary extends Properties {
  readonly key: string;
  /** Bytes of the content. */
  readonly size: number;
}

/** A folder of a data directory, which stands for a bucket. */
export interface Objects {
  /** Resolves when the object is on the disk. */
  put(key: string, headers: Properties['headers'], content: Buffer): Promise<Properties>;
  get(key: string): Promise<(ObjectSummary & { readonly content: Buffer }) | undefined>;
  /** Gives an object without its content. */
  find(key: string): Promise<ObjectSummary | undefined>;
  /** Resolves when the keys are gone from the disk. */
  remove(keys: readonly string[]): Promise<void>;
  /** Gives the objects whose keys begin with a prefix and come after another key, by their keys. */
  list(prefix: string, after: string, limit: number): Promise<readonly ObjectSummary[]>;
}

/** A key that no file can be named after. */
export class KeyError extends Error {}

/** No name begins with a dot: neither `.` nor `..` nor the mark of an incomplete file. */
const encode = (text: string) => encodeURIComponent(text).replaceAll(/[.*]/g, (sign) => (sign === '.' ? '%2E' : '%2A'));

const incomplete = '.';

/** The most bytes of a file name on the usual file systems. */
const longestName = 255;

/** The folder of a key is named after its first part, and the file after the whole key. */
const placeOf = (key: string) => {
  const [first = '', ...rest] = key.split('/');
  const place = { folder: encode(first), file: encode(key) };
  if (first === '' || rest.length === 0) throw new KeyError('The local host keeps only keys with a folder');
  if (place.file.length > longestName) throw new KeyError('The key is too long for a file name');
  return place;
};

/** @returns nothing for a file that is not named after a key */
const keyOf = (name: string): string | undefined => {
  try {
    const key = decodeURIComponent(name);
    return encode(key) === name ? key : undefined;
  } catch {
    return undefined;
  }
};

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** @returns nothing if a file or folder is missing */
const orMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error;
};

/** Writes the names in a folder to the disk. Windows cannot, and needs not. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await open(folder).catch(orMissing);
  if (!handle) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** @returns whether the folder was empty, and is gone */
const removeIfEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  );

const lineEnd = 0x0a;

/** A file has a line of JSON, then the content. */
const parse = (file: string, bytes: Buffer) => {
  const end = bytes.indexOf(lineEnd);
  const properties = v.safeParse(v.pipe(v.string(), v.parseJson(), propertiesSchema), bytes.toString('utf8', 0, end));
  if (end < 0 || !properties.success) throw new Error(`${file} is damaged: restore it from a copy, or delete it`);
  return { ...properties.output, content: bytes.subarray(end + 1) };
};

/** Where the first lines of all files end. */
const longestHead = 8192;

/** Reads no more of a file than it must. */
const readSummary = async (file: string, key: string): Promise<ObjectSummary | undefined> => {
  const handle = await open(file).catch(orMissing);
  if (!handle) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(longestHead), position: 0 });
    const { content, ...properties } = parse(file, buffer.subarray(0, bytesRead));
    const { size } = await handle.stat();
    return { ...properties, key, size: size - bytesRead + content.length };
  } finally {
    await handle.close();
  }
};

/** Removes what an earlier process left: incomplete files and empty folders. */
const removeLeftovers = async (bucket: string): Promise<void> => {
  for (const name of await readdir(bucket)) {
    if (name.startsWith(incomplete)) await rm(join(bucket, name), { recursive: true });
    else await removeIfEmpty(join(bucket, name));
  }
};

/**
 * Keeps objects in files that only their owner can read. Of two that put the same key at once, the later one wins.
 * @param bucket a folder, which is made if it is missing
 */
export const openObjects = async (bucket: string, clock: Clock): Promise<Objects> => {
  await mkdir(bucket, { recursive: true, mode: 0o700 });
  await removeLeftovers(bucket);

  const namesIn = async (folder: string) => (await readdir(join(bucket, folder)).catch(orMissing)) ?? [];

  /** Makes the folder of a complete file, and moves it there. A removal can remove the empty folder in between. */
  const moveInto = async (folder: string, from: string, to: string): Promise<void> => {
    for (;;) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        return await rename(from, to);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
  };

  return {
    put: async (key, headers, content) => {
      const { folder, file } = placeOf(key);
      const properties = { headers, etag: createHash('md5').update(content).digest('hex'), time: clock.now() };
      const head = Buffer.from(`${JSON.stringify(properties satisfies Properties)}\n`);
      if (head.length > longestHead) throw new KeyError('The headers are too long');
      const unfinished = join(bucket, incomplete + randomUUID());
      try {
        const handle = await open(unfinished, 'wx', 0o600);
        try {
          await handle.writeFile([head, content]);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await moveInto(join(bucket, folder), unfinished, join(bucket, folder, file));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(join(bucket, folder));
      await syncFolder(bucket);
      return properties;
    },

    get: async (key) => {
      const { folder, file } = placeOf(key);
      const path = join(bucket, folder, file);
      const bytes = await readFile(path).catch(orMissing);
      if (!bytes) return undefined;
      const parsed = parse(path, bytes);
      return { ...parsed, key, size: parsed.content.length };
    },

    find: (key) => {
      const { folder, file } = placeOf(key);
      return readSummary(join(bucket, folder, file), key);
    },

    remove: async (keys) => {
      const places = keys.map(placeOf);
      for (const { folder, file } of places) await unlink(join(bucket, folder, file)).catch(orMissing);
      for (const folder of new Set(places.map((place) => join(bucket, place.folder)))) {
        if (!(await removeIfEmpty(folder))) await syncFolder(folder);
      }
      await syncFolder(bucket);
    },

    list: async (prefix, after, limit) => {
      const found: ObjectSummary[] = [];
      const folders = (await namesIn('')).flatMap((name) => {
        const first = keyOf(name);
        return first === undefined ? [] : [{ name, begin: `${first}/` }];
      });
      folders.sort((a, b) => (a.begin < b.begin ? -1 : 1));
      for (const { name, begin } of folders) {
        const canHave = begin.startsWith(prefix) || prefix.startsWith(begin);
        if (!canHave || (begin < after && !after.startsWith(begin))) continue;
        const keys = (await namesIn(name)).flatMap((file) => keyOf(file) ?? []);
        for (const key of keys.filter((each) => each.startsWith(prefix) && each > after).sort()) {
          if (found.length === limit) return found;
          // Another request may have removed it meanwhile.
          found.push(...[(await readSummary(join(bucket, name, encode(key)), key)) ?? []].flat());
        }
      }
      return found;
    },
  };
};

/** Opens the folders of buckets in a data directory. @returns their contents, by the buckets' names */
export const openBuckets = async (
  dataDir: string,
  names: readonly string[],
  clock: Clock,
): Promise<ReadonlyMap<string, Objects>> => {
  const files = join(dataDir, 'files');
  const buckets = new Map<string, Objects>();
  for (const name of names) buckets.set(name, await openObjects(join(files, name), clock));
  await syncFolder(files);
  await syncFolder(dataDir);
  return buckets;
};
