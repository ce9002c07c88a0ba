import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { isTorn } from './log-file.ts';

/** What stands in the folder of a store that was closed: its files, which nobody changes until it is opened again. */
const markSchema = v.object({ current: v.string(), sizes: v.record(v.string(), v.number()) });

const markIn = (folder: string) => join(folder, 'closed.json');

/** The files that hold data: https://github.com/google/leveldb/blob/main/doc/impl.md */
const holdsData = (name: string) => /\.(ldb|log)$|^MANIFEST-/.test(name);

/** A process that has the store open, which is found out later, removes files meanwhile. */
const ifThere = <Value>(result: Promise<Value>): Promise<Value | undefined> => result.catch(() => undefined);

const readSizes = async (folder: string): Promise<Record<string, number>> => {
  const names = (await readdir(folder)).filter(holdsData);
  const found = await Promise.all(names.map(async (name) => ({ name, file: await ifThere(stat(join(folder, name))) })));
  return Object.fromEntries(found.flatMap(({ name, file }) => (file ? [[name, file.size]] : [])));
};

/** Names the manifest: another with each time that the store is opened. */
const readCurrent = (folder: string) => ifThere(readFile(join(folder, 'CURRENT'), 'utf8'));

/** What a closing has to know from before it. */
export const beginClosing = async (folder: string) => ({ current: (await readCurrent(folder)) ?? '' });

/** Marks the store as closed, once it is; whoever has opened it meanwhile has another `CURRENT`, and no mark. */
export const markClosed = async (folder: string, { current }: { readonly current: string }): Promise<void> => {
  await writeFile(markIn(folder), JSON.stringify({ current, sizes: await readSizes(folder) }), { mode: 0o600 });
};

/** The store is open: what happens now is no longer what the mark says. */
export const removeMark = (folder: string): Promise<void> => rm(markIn(folder), { force: true });

/** What LevelDB has passed over as it opened the store: it tells only its own log. */
export const readComplaints = async (folder: string): Promise<string[]> => {
  const log = await readFile(join(folder, 'LOG'), 'utf8').catch(() => '');
  return [...log.matchAll(/(\d+\.\w+): (dropping \d+ bytes)/g)].map(([, name, what]) => `${name}: ${what}`);
};

/** The condition of a store that nobody has open. */
export interface Condition {
  /** Whether it is new, or was closed and has not changed since. */
  readonly closed: boolean;
  /** What is wrong with its files, each in some words. */
  readonly damage: readonly string[];
}

const readMark = async (folder: string) => {
  try {
    return v.parse(markSchema, JSON.parse(await readFile(markIn(folder), 'utf8')));
  } catch {
    return undefined;
  }
};

/**
 * Looks at a store's files, before LevelDB opens them and passes over in silence what is missing at the end of a log.
 * @throws {Error} when LevelDB would take the store for a new one, and remove its files
 */
export const inspect = async (folder: string): Promise<Condition> => {
  // In this order: another process that makes the store at this moment writes CURRENT, then the first log.
  const sizes = await readSizes(folder);
  const [current, mark] = await Promise.all([readCurrent(folder), readMark(folder)]);
  const names = Object.keys(sizes);
  if (current === undefined) {
    if (names.some((name) => !name.startsWith('MANIFEST-'))) throw new Error('its file CURRENT is missing');
    return { closed: true, damage: [] };
  }
  if (mark?.current === current) {
    const damage = Object.entries(mark.sizes).flatMap(([name, size]) => {
      const left = sizes[name];
      if (left === undefined) return [`${name} is missing`];
      return left === size ? [] : [`${name} has ${left} bytes of ${size}`];
    });
    return { closed: damage.length === 0, damage };
  }
  const logs = names.filter((name) => name.endsWith('.log'));
  const torn = await Promise.all(
    logs.map(async (name) => isTorn((await ifThere(readFile(join(folder, name)))) ?? Buffer.of())),
  );
  const damage = logs.filter((_, at) => torn[at]).map((name) => `${name} ends in the middle of a write`);
  return { closed: false, damage: logs.length === 0 ? ['its log is missing'] : damage };
};
