import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { authenticationHeaderPattern } from '../../functions/tokens/token-format.ts';
import { cacheDir, run } from './command.ts';
import type { Emulator } from './emulator.ts';
import type { VersionName, Webhooks } from './versions.ts';

const outputsFile = join(cacheDir, 'outputs.json');

const outputs = v.record(v.string(), v.objectWithRest({ BaseUrl: v.string(), ContactsTable: v.string() }, v.string()));

/** A deployed stack, as far as the rehearsal uses its outputs. */
export interface Deployed {
  /** The API's stage at the emulator. */
  readonly stageUrl: string;
  readonly contactsTable: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** What an operator types, with the emulator in the place of AWS. */
export interface Operator {
  bootstrap(): Promise<void>;
  deploy(stack: string, version: VersionName): Promise<Deployed>;
  /** @throws {CommandError} when the stack cannot be deleted */
  destroy(stack: string): Promise<void>;
  /** Runs the staff command. @returns what it printed */
  staff(...args: string[]): Promise<string>;
  /** @returns the token, which is named after what it allows */
  issueToken(environment: string, allow: string): Promise<string>;
}

export const operatorOf = (
  { clockEnv, endpoint, ...emulator }: Emulator,
  webhooks: Webhooks,
  signal: AbortSignal,
): Operator => {
  const env = { ...emulator.env, ...clockEnv };
  const cdk = async (version: VersionName, ...args: string[]) => {
    const app = `node -r ./bin/require-node.cjs test/rehearsal/app.ts ${version} ${webhooks.standard} ${webhooks.slack}`;
    const common = ['--app', app, '--output', join(cacheDir, 'cdk.out'), '--no-notices'];
    await run('npx', ['cdk', ...args, ...common], { env, signal });
  };

  const staff: Operator['staff'] = (...args) => run('npm', ['run', 'staff', '--', ...args], { env, signal });

  return {
    staff,
    bootstrap: () => cdk('first', 'bootstrap'),
    destroy: (stack) => cdk('first', 'destroy', stack, '--force'),
    deploy: async (stack, version) => {
      await cdk(version, 'deploy', stack, '--require-approval', 'never', '--outputs-file', outputsFile);
      const { [stack]: printed } = v.parse(outputs, JSON.parse(await readFile(outputsFile, 'utf8')));
      if (!printed) throw new Error(`${stack} has no outputs`);
      // https://<id>.execute-api.<region>.amazonaws.com/<stage>
      const { hostname, pathname } = new URL(printed.BaseUrl);
      const [id] = hostname.split('.');
      return {
        stageUrl: `${endpoint}/restapis/${id}${pathname}/_user_request_`,
        contactsTable: printed.ContactsTable,
        outputs: printed,
      };
    },
    issueToken: async (environment, allow) => {
      const printed = await staff('tokens', 'issue', '--env', environment, '--name', allow, '--allow', allow);
      const [token] = new RegExp(authenticationHeaderPattern, 'm').exec(printed) ?? [];
      if (token === undefined) throw new Error('The staff command printed no token.');
      return token;
    },
  };
};
