import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { settingsFile } from '../../support/environments.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** A script in bin/ of a project's folder, run as npm does, with its settings as environment variables. */
const runScriptIn = (
  folder: string,
  script: 'local.cjs' | 'crcs.cjs',
  settings: Record<string, string>,
  options: readonly string[],
) => {
  const child = spawn(process.execPath, [join(folder, 'bin', script), ...options], {
    // The project may have an .env.
    cwd: import.meta.dirname,
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

/** A script of this version. */
export const runScript = (script: 'local.cjs' | 'crcs.cjs', settings: Record<string, string>, ...options: string[]) =>
  runScriptIn(root, script, settings, options);

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
  folder = root,
): Promise<LocalService> => {
  const variables = { PORT: '0', SITE_PORT: '0', ...pagePorts.get(dataDir), DATA_DIR: dataDir, ...settings };
  const { child, output, closed } = runScriptIn(folder, 'local.cjs', variables, []);
  const printed = (label: string) => new RegExp(`^${label}: (\\S+)$`, 'm').exec(output.stdout)?.[1];

  const found = new Promise<Pick<LocalService, 'baseUrl' | 'inboxUrl' | 'siteOrigin' | 'staffToken'>>((resolve) => {
    child.stdout.on('data', () => {
      const [baseUrl, siteOrigin] = [printed('Base URL'), printed('Example site')];
      const [inboxUrl, staffToken] = [printed('Inbox'), printed('Staff token')];
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
