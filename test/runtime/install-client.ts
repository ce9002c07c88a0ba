import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { CommandError, run } from '../rehearsal/command.ts';

const source = join(import.meta.dirname, 'client');
const target = join(import.meta.dirname, '..', '..', '.cache', 'aws-lambda-ric');
const folder = join(target, 'node_modules', 'aws-lambda-ric');

/** AWS's runtime client, as it is installed. */
export interface RuntimeClient {
  readonly version: string;
  /** What Node runs. */
  readonly script: string;
}

const packageSchema = v.object({ version: v.string() });
const lockSchema = v.object({ packages: v.object({ 'node_modules/aws-lambda-ric': packageSchema }) });

const parseFile = async <Output>(file: string, schema: v.GenericSchema<unknown, Output>) =>
  v.parse(schema, JSON.parse(await readFile(file, 'utf8')));

/** The version that is installed, its native part built. */
const installedVersion = async () => {
  const { version } = await parseFile(join(folder, 'package.json'), packageSchema);
  await readFile(join(folder, 'rapid-client.node'));
  return version;
};

/**
 * Installs AWS's runtime client at the version of client/package-lock.json. It compiles a part of itself, in about a
 * minute, so it is no dependency of the project.
 * @throws {CommandError} when it cannot be built, with the end of what npm printed
 */
export const installClient = async (): Promise<RuntimeClient> => {
  const lock = await parseFile(join(source, 'package-lock.json'), lockSchema);
  const { version } = lock.packages['node_modules/aws-lambda-ric'];
  if ((await installedVersion().catch(() => undefined)) !== version) {
    await mkdir(target, { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) await copyFile(join(source, name), join(target, name));
    const install = ['ci', '--prefix', target, '--ignore-scripts=false'];
    await run('npm', install, { env: process.env, signal: AbortSignal.timeout(10 * 60_000) }).catch(
      (error: unknown) => {
        const printed = error instanceof CommandError ? error.message : String(error);
        throw new CommandError(
          `aws-lambda-ric needs CMake, make, a C++ compiler, Python 3 and Node's headers. ${printed}`,
        );
      },
    );
  }
  return { version, script: join(folder, 'index.mjs') };
};
