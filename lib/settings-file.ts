import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { SettingsError } from './settings-error.ts';

const notEnvironments = 'must be an object with the settings of each environment by its name';

/** What `--env` means of itself, and what no schema of an object takes for a key: either would be left out in silence. */
const reserved: readonly string[] = ['local', 'constructor', 'prototype', '__proto__'];

const reservedIn = (written: unknown) =>
  typeof written === 'object' && written !== null ? reserved.find((name) => Object.hasOwn(written, name)) : undefined;

const environmentsSchema = v.pipe(
  v.unknown(),
  // To JavaScript a list is an object, too.
  v.check((written) => !Array.isArray(written), notEnvironments),
  v.check(
    (written) => reservedIn(written) === undefined,
    ({ input }) => `"${reservedIn(input)}" can be the name of no environment: choose another`,
  ),
  v.record(v.string(), v.record(v.string(), v.unknown(), 'must be an object of settings'), notEnvironments),
);

/** The settings of each environment by its name, as they are written down: `parseEnvironments` checks them. */
export type WrittenEnvironments = Readonly<v.InferOutput<typeof environmentsSchema>>;

/** The settings that are in force. */
export interface Settings {
  /** The file that they stand in, as people write it. */
  readonly file: string;
  readonly environments: WrittenEnvironments;
}

const project = join(import.meta.dirname, '..');

const kinds = ['ts', 'js', 'mjs', 'json'];

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const shown = (file: string) => {
  const fromHere = relative(process.cwd(), file);
  return fromHere.startsWith('..') ? file : fromHere;
};

/**
 * The file of settings in a project, where no variable names one: its own of `settings/`, which is no part of the code's
 * history, or else the example's. An empty folder or a link to nowhere is a mistake: the example's settings deployed in the
 * place of one's own would refuse every form.
 */
const fileIn = (folder: string): string => {
  const own = join(folder, 'settings');
  if (!isThere(own)) return join(folder, 'lib', 'environments.ts');
  const [file, other] = kinds.map((kind) => join(own, `environments.${kind}`)).filter(isThere);
  if (file === undefined)
    throw new SettingsError(`${shown(own)}: has no environments.${kinds.join(', .')} (docs/settings.md)`);
  if (other !== undefined) throw new SettingsError(`${shown(own)}: has ${shown(file)} and ${shown(other)}: keep one`);
  return file;
};

const nameFile = (named: string | undefined, folder: string): string => {
  if (named === undefined || named === '') return fileIn(folder);
  const file = resolve(named);
  if (!kinds.includes(extname(file).slice(1))) {
    throw new SettingsError(
      `CRCS_SETTINGS: "${named}" is no file of settings: name one that ends with .${kinds.join(', .')}`,
    );
  }
  if (!isThere(file)) throw new SettingsError(`CRCS_SETTINGS: there is no file ${named}`);
  return file;
};

/** The line of a module at which an error arose, as `:26`; nothing where Node does not say, as for the syntax of JavaScript. */
const lineOf = ({ stack = '' }: Error, file: string): string => {
  // A stack names it by its URL, a fault of TypeScript's syntax by its path.
  const places = [pathToFileURL(file).href, file].map((name) => stack.split(name)[1] ?? '');
  return places.flatMap((place) => /^:\d+/.exec(place) ?? [])[0] ?? '';
};

const read = async (file: string): Promise<unknown> => {
  try {
    // Some editors begin a file with a mark, which RFC 8259, section 8.1, lets a reader pass over.
    if (file.endsWith('.json')) return JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
    const { environments }: { environments?: unknown } = await import(pathToFileURL(file).href);
    return environments;
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const line = error instanceof Error ? lineOf(error, file) : '';
    throw new SettingsError(`${shown(file)}${line}: cannot be read: ${reason}`);
  }
};

/**
 * Reads the settings that are in force: of the file that `CRCS_SETTINGS` names, or else of the project's `settings/`, or else
 * of `lib/environments.ts`.
 * @param variables of the environment
 * @throws {SettingsError} one line, when there is no such file or it holds no settings
 */
export const loadSettings = async (
  { CRCS_SETTINGS }: Readonly<Record<string, string | undefined>>,
  folder = project,
): Promise<Settings> => {
  const file = nameFile(CRCS_SETTINGS, folder);
  const written = await read(file);
  if (written === undefined) {
    throw new SettingsError(`${shown(file)}: exports no environments: write export const environments = { … };`);
  }
  const result = v.safeParse(environmentsSchema, written);
  if (result.success) return { file: shown(file), environments: result.output };
  const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'environments'}: ${issue.message}`);
  throw new SettingsError(faults.map((fault) => `${shown(file)}: ${fault}`).join('\n'));
};
