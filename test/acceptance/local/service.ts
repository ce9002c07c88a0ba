import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { settingsFile } from '../../support/environments.ts';
import { projectWithoutEnv } from '../../support/project.ts';

/** Runs Node with these arguments, and settings as environment variables. */
const runNode = (args: readonly string[], settings: Record<string, string>) => {
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env['PATH'],
      // The CDK keeps caches in the home folder.
      HOME: settings['DATA_DIR'],
      CRCS_SETTINGS: settingsFile,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  return { child, output, closed: once(child, 'close') };
};

/** Runs the staff command. */
export const runStaffCommand = (settings: Record<string, string>, ...args: readonly string[]) =>
  runNode([join(projectWithoutEnv(), 'bin', 'crcs.cjs'), ...args], settings);

const packageFile = v.object({ scripts: v.object({ start: v.pipe(v.string(), v.startsWith('node ')) }) });

/** What `npm start` tells Node in a project's folder. */
const startArguments = (folder: string): readonly string[] => {
  const { scripts } = v.parse(packageFile, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const [, ...args] = scripts.start.split(' ');
  return args.map((arg) => (arg.startsWith('bin/') ? join(folder, arg) : arg));
};

/** Runs `npm start` without npm, of this version or of another. */
export const runNpmStart = (settings: Record<string, string>, folder = projectWithoutEnv()) =>
  runNode(startArguments(folder), settings);

/** The service on this machine, as `npm start` runs it. */
export interface LocalService {
  readonly baseUrl: string;
  readonly siteOrigin: string;
  /** The address of the inbox, with the token. */
  readonly inboxUrl: string;
  readonly inboxOrigin: string;
  readonly staffToken: string;
  /** Its output so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Sends a signal and waits for the end. @returns the exit code; null if the signal ended the process */
  readonly end: (signal: 'SIGINT' | 'SIGKILL' | 'SIGTERM') => Promise<number | null>;
}

/** A data folder for a service. */
export const makeDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'contact-service-'));

export const removeDataDir = (dataDir: string): Promise<void> => rm(dataDir, { recursive: true, force: true });

/** The ports of the pages by data directory. With other ports, the next start would have to synthesize again. */
const pagePorts = new Map<string, { readonly SITE_PORT: string; readonly INBOX_PORT: string }>();

/**
 * Starts the service on free ports. Later starts on a data directory use the same ports for the example site and the inbox.
 * @param settings more environment variables for it
 * @param folder the project's folder, of this version or of another
 * @throws {Error} with its output if it ends at once
 */
export const startService = async (
  dataDir: string,
  settings: Record<string, string> = {},
  folder = projectWithoutEnv(),
): Promise<LocalService> => {
  const variables = { PORT: '0', SITE_PORT: '0', ...pagePorts.get(dataDir), DATA_DIR: dataDir, ...settings };
  const { child, output, closed } = runNpmStart(variables, folder);
  const printed = (label: string) => new RegExp(`^${label}: (\\S+)$`, 'm').exec(output.stdout)?.[1];

  const found = new Promise<Pick<LocalService, 'baseUrl' | 'inboxUrl' | 'siteOrigin' | 'staffToken'>>((resolve) => {
    child.stdout.on('data', () => {
      const baseUrl = printed('Base URL');
      const siteOrigin = printed('Example site');
      const inboxUrl = printed('Inbox');
      const staffToken = printed('Staff token');
      if (baseUrl && siteOrigin && inboxUrl && staffToken) resolve({ baseUrl, siteOrigin, inboxUrl, staffToken });
    });
  });
  const ended = closed.then(() => {
    throw new Error(`The service ended at its start: ${output.stderr}${output.stdout}`);
  });
  const told = await Promise.race([found, ended]);
  const inbox = new URL(told.inboxUrl);
  pagePorts.set(dataDir, { SITE_PORT: new URL(told.siteOrigin).port, INBOX_PORT: inbox.port });
  return {
    ...told,
    inboxOrigin: inbox.origin,
    output,
    end: async (signal) => {
      child.kill(signal);
      await closed;
      return child.exitCode;
    },
  };
};
