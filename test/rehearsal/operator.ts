import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { authenticationHeaderPattern } from '../../functions/tokens/token.ts';
import { projectDir, run } from '../support/command.ts';
import type { Cloud } from './cloud.ts';
import { cacheDir, firstSettings, type Settings } from './settings.ts';

const outputs = v.record(v.string(), v.objectWithRest({ BaseUrl: v.string() }, v.string()));

export type Outputs = Readonly<v.InferOutput<typeof outputs>[string]>;

/** Runs an operator's commands. */
export interface Operator {
  /** The settings of the last deployment. */
  readonly settingsFile: string;
  bootstrap(): Promise<void>;
  /**
   * @param settings of all environments; later commands use them, too
   * @param options further ones of `cdk deploy`
   * @returns the outputs of the stack
   * @throws {CommandError} if it fails
   */
  deploy(stack: string, settings: Settings, ...options: readonly string[]): Promise<Outputs>;
  /** Deploys with the settings of before. @returns what `cdk` printed */
  deployAgain(stack: string): Promise<string>;
  /** @throws {CommandError} if the stack cannot be deleted */
  destroy(stack: string): Promise<void>;
  /** Runs the staff command. @returns what it printed */
  staff(...args: string[]): Promise<string>;
  /** @returns the token, which is named after what it allows */
  issueToken(environment: string, allow: string): Promise<string>;
}

/** The token that the staff command printed. */
export const tokenIn = (printed: string): string => {
  const [token] = new RegExp(authenticationHeaderPattern, 'm').exec(printed) ?? [];
  if (token === undefined) throw new Error('The staff command printed no token.');
  return token;
};

interface Workplace {
  /** The project's folder, of this version or of another. @defaultValue this version's */
  readonly cwd?: string;
  /** Where it writes. @defaultValue the rehearsal's */
  readonly folder?: string;
}

export const operatorOf = (
  { env, staffEnv, app }: Cloud,
  signal: AbortSignal,
  { cwd = projectDir, folder = cacheDir }: Workplace = {},
): Operator => {
  const outputsFile = join(folder, 'outputs.json');
  const settingsFile = join(folder, 'settings.json');
  const cdkOptions = [
    // This Node, so that the file that chooses it can have another name in the oldest release.
    ...['--app', `"${process.execPath}" ${app}`],
    ...['--output', join(folder, 'cdk.out'), '--no-notices'],
  ];
  const options = { env: { ...env, CRCS_SETTINGS: settingsFile }, signal, cwd };
  const writeSettings = (settings: Settings) => writeFile(settingsFile, JSON.stringify(settings));
  const cdk = (...args: readonly string[]) => run('npx', ['cdk', ...args, ...cdkOptions], options);
  const staffOptions = { ...options, env: { ...options.env, ...staffEnv } };
  const cdkDeploy = (stack: string, ...further: readonly string[]) =>
    cdk('deploy', stack, '--require-approval', 'never', '--outputs-file', outputsFile, ...further);
  const staff: Operator['staff'] = (...args) => run('npx', ['crcs', ...args], staffOptions);

  return {
    settingsFile,
    staff,
    bootstrap: async () => {
      await writeSettings({ prod: firstSettings });
      await cdk('bootstrap');
    },
    destroy: async (stack) => {
      await cdk('destroy', stack, '--force');
    },
    deploy: async (stack, settings, ...further) => {
      await writeSettings(settings);
      await cdkDeploy(stack, ...further);
      const { [stack]: printed } = v.parse(outputs, JSON.parse(await readFile(outputsFile, 'utf8')));
      if (!printed) throw new Error(`${stack} has no outputs`);
      return printed;
    },
    deployAgain: (stack) => cdkDeploy(stack),
    issueToken: async (environment, allow) =>
      tokenIn(await staff('tokens', 'issue', '--env', environment, '--name', allow, '--allow', allow)),
  };
};
