import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { SettingsError } from './settings-error.ts';

const notEnvironments = 'must be an object with environment names as keys and their settings as values';

const environmentsSchema = v.pipe(
  v.record(v.string(), v.record(v.string(), v.unknown(), 'must be an object of settings'), notEnvironments),
  v.check(
    (environments) => !Object.hasOwn(environments, 'local'),
    '"local" is reserved for npm start: choose another name',
  ),
);

/** The settings of each environment by its name, as an operator writes them: `parseEnvironments` checks them. */
export type WrittenEnvironments = Readonly<v.InferOutput<typeof environmentsSchema>>;

/** The settings that are used. */
export interface Settings {
  /** Their file, for messages. */
  readonly file: string;
  readonly environments: WrittenEnvironments;
}

const project = join(import.meta.dirname, '..', '..');

const kinds = ['ts', 'js', 'mjs', 'json'];

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const shown = (file: string) => {
  const fromHere = relative(process.cwd(), file);
  return fromHere.startsWith('..') ? file : fromHere;
};

/**
 * The file of settings in a project: of `settings/` if it exists, or else the example's. An empty `settings/` or a link to
 * nowhere is an error: the example's settings, deployed by accident, would refuse every form.
 */
const fileIn = (folder: string): string => {
  const own = join(folder, 'settings');
  if (!isThere(own)) return join(folder, 'lib', 'environments.ts');
  const [file, other] = kinds.map((kind) => join(own, `environments.${kind}`)).filter(isThere);
  if (file === undefined)
    throw new SettingsError(`${shown(own)}: has no environments.${kinds.join(', .')}, see docs/settings.md`);
  if (other !== undefined) throw new SettingsError(`${shown(own)}: has ${shown(file)} and ${shown(other)}: keep one`);
  return file;
};

const nameFile = (named: string | undefined, folder: string): string => {
  if (named === undefined || named === '') return fileIn(folder);
  const file = resolve(named);
  if (!kinds.includes(extname(file).slice(1))) {
    throw new SettingsError(
      `CRCS_SETTINGS: "${named}" is not a settings file: its name must end with .${kinds.join(', .')}`,
    );
  }
  if (!isThere(file)) throw new SettingsError(`CRCS_SETTINGS: the file ${named} does not exist`);
  return file;
};

/** The line of an error in a module, as `:26`; empty if Node does not say it, as for the syntax of JavaScript. */
const lineOf = ({ stack = '' }: Error, file: string): string => {
  // A stack has the file's URL, an error in TypeScript's syntax its path.
  const places = [pathToFileURL(file).href, file].map((name) => stack.split(name)[1] ?? '');
  return places.flatMap((place) => /^:\d+/.exec(place) ?? [])[0] ?? '';
};

const read = async (file: string): Promise<unknown> => {
  try {
    // Some editors begin a file with a byte order mark.
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
 * Reads the settings from the file that `CRCS_SETTINGS` names, or else from the project's `settings/`, or else from
 * `lib/environments.ts`.
 * @throws {SettingsError} one line, if there is no such file or it has no settings
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
  const errors = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'environments'}: ${issue.message}`);
  throw new SettingsError(errors.map((error) => `${shown(file)}: ${error}`).join('\n'));
};
