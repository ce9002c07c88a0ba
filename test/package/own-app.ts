import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const document = join(import.meta.dirname, '..', '..', 'docs', 'deploy.md');

const exec = promisify(execFile);

/** A code block of a section: commands, or a file with its name. */
interface Block {
  readonly file: string | undefined;
  readonly text: string;
}

export const blocksOf = async (section: string): Promise<Block[]> => {
  const [, text = ''] = (await readFile(document, 'utf8')).split(`\n### ${section}\n`);
  const [own = ''] = text.split(/\n##+ /);
  return [...own.matchAll(/(?:^`(\S+)`:\n\n)?^```\w+\n(.*?)^```$/gms)].map(([, file, block = '']) => ({
    file,
    text: block,
  }));
};

/** Runs a line as a shell does. @returns what it printed */
type Shell = (line: string) => Promise<string>;

/** An app's environment: no variables of AWS, of tests or of this project's npm; no package runs a script. */
export const appEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(AWS|CDK|npm|NODE_COMPILE_CACHE|NODE_ENV|NODE_OPTIONS|VITEST)/.test(name),
    ),
  ),
  CDK_DISABLE_CLI_TELEMETRY: 'true',
  npm_config_ignore_scripts: 'true',
};

/** A shell in a folder. */
export const shellIn =
  (folder: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): Shell =>
  async (line) =>
    (await exec('/bin/sh', ['-euc', line], { cwd: folder, env, ...(signal && { signal }) })).stdout;

/**
 * Makes the app by the document's own commands.
 * @param folder in which it makes `my-site`
 * @returns the app's folder
 */
export const makeApp = async (folder: string, archive: string, signal?: AbortSignal): Promise<string> => {
  const app = join(folder, 'my-site');
  await mkdir(app, { recursive: true });
  const shell = shellIn(app, appEnvironment, signal);
  for (const { file, text } of await blocksOf('Make the app')) {
    if (file !== undefined) await writeFile(join(app, file), text);
    else {
      // `cdk init` wants the folder empty.
      if (text.startsWith('npm install')) await cp(archive, join(app, basename(archive)));
      // The CDK's command line is installed already, in the version that npx would fetch.
      await shell(text.replace('npx aws-cdk@2 ', 'cdk '));
    }
  }
  return app;
};
