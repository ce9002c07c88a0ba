import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { authenticationHeaderPattern } from '../../functions/tokens/token.ts';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { cacheDir, projectDir, run } from './command.ts';
import type { Emulator } from './emulator.ts';
import { type VersionName, versionsFor } from './versions.ts';

const outputsFile = join(cacheDir, 'outputs.json');
const settingsFile = join(cacheDir, 'settings.json');

/** The settings of all environments, as they are written down. */
export type Settings = Readonly<Record<string, EnvironmentInput>>;

const outputs = v.record(v.string(), v.objectWithRest({ BaseUrl: v.string(), ContactsTable: v.string() }, v.string()));

const writeSettings = (settings: Settings) => writeFile(settingsFile, JSON.stringify(settings));

const cdkOptions = [
  ...['--app', 'node -r ./bin/require-node.cjs test/rehearsal/app.ts'],
  ...['--output', join(cacheDir, 'cdk.out'), '--no-notices'],
];

/** A deployed stack, as far as the rehearsal uses its outputs. */
export interface Deployed {
  /** The API's stage at the emulator, by the URL of API Gateway; of no use where that is off. */
  readonly stageUrl: string;
  readonly contactsTable: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** What an operator types, with the emulator in the place of AWS. */
export interface Operator {
  /** What its commands have in their environment. */
  readonly env: NodeJS.ProcessEnv;
  bootstrap(): Promise<void>;
  /**
   * @param settings that the commands after it have, too
   * @param options of `cdk deploy`, besides
   * @throws {CommandError} when it fails
   */
  deploy(stack: string, settings: VersionName | Settings, ...options: readonly string[]): Promise<Deployed>;
  /** @throws {CommandError} when the stack cannot be deleted */
  destroy(stack: string): Promise<void>;
  /** Runs the staff command. @returns what it printed */
  staff(...args: string[]): Promise<string>;
  /** @returns the token, which is named after what it allows */
  issueToken(environment: string, allow: string): Promise<string>;
}

/** Where the emulator answers for a base URL of AWS, https://<id>.execute-api.<region>.amazonaws.com/<stage> */
export const stageUrlOf = (endpoint: string, baseUrl: string): string => {
  const { hostname, pathname } = new URL(baseUrl);
  const [id] = hostname.split('.');
  return `${endpoint}/restapis/${id}${pathname}/_user_request_`;
};

/** The token in what the staff command prints. */
export const tokenIn = (printed: string): string => {
  const [token] = new RegExp(authenticationHeaderPattern, 'm').exec(printed) ?? [];
  if (token === undefined) throw new Error('The staff command printed no token.');
  return token;
};

/** @param cwd the project's folder, of this version or of another */
export const operatorOf = (
  { clockEnv, endpoint, ...emulator }: Emulator,
  webhook: string,
  signal: AbortSignal,
  cwd: string = projectDir,
): Operator => {
  const options = { env: { ...emulator.env, ...clockEnv, CRCS_SETTINGS: settingsFile }, signal, cwd };
  const versions: Readonly<Record<VersionName, Settings>> = versionsFor(webhook);
  const cdk = (...args: readonly string[]) => run('npx', ['cdk', ...args, ...cdkOptions], options);
  const staff: Operator['staff'] = (...args) => run('npx', ['crcs', ...args], options);

  return {
    env: options.env,
    staff,
    bootstrap: async () => {
      await writeSettings(versions.first);
      await cdk('bootstrap');
    },
    destroy: async (stack) => {
      await cdk('destroy', stack, '--force');
    },
    deploy: async (stack, settings, ...further) => {
      await writeSettings(typeof settings === 'string' ? versions[settings] : settings);
      await cdk('deploy', stack, '--require-approval', 'never', '--outputs-file', outputsFile, ...further);
      const { [stack]: printed } = v.parse(outputs, JSON.parse(await readFile(outputsFile, 'utf8')));
      if (!printed) throw new Error(`${stack} has no outputs`);
      return {
        stageUrl: stageUrlOf(endpoint, printed['DefaultUrl'] ?? printed.BaseUrl),
        contactsTable: printed.ContactsTable,
        outputs: printed,
      };
    },
    issueToken: async (environment, allow) =>
      tokenIn(await staff('tokens', 'issue', '--env', environment, '--name', allow, '--allow', allow)),
  };
};
