import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import packageJson from '../package.json' with { type: 'json' };
import { settingsFile } from '../test/support/environments.ts';

/** What a running service has printed. */
export interface LocalService {
  readonly baseUrl: string;
  readonly staffToken: string;
}

/** What `npm start` runs, with its options. */
const [, ...script] = packageJson.scripts.start.split(' ');

/**
 * Runs `npm start`'s process on free ports as long as `use` takes.
 * @param settings further environment variables for it
 */
export const withLocalService = async <Result>(
  dataDir: string,
  use: (service: LocalService) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> => {
  const service = spawn(process.execPath, script, {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, CRCS_SETTINGS: settingsFile, DATA_DIR: dataDir, PORT: '0', SITE_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    let baseUrl: string | undefined;
    for await (const line of createInterface({ input: service.stdout })) {
      baseUrl = /^Base URL: (\S+)$/.exec(line)?.[1] ?? baseUrl;
      const staffToken = /^Staff token: (\S+)$/.exec(line)?.[1];
      if (baseUrl !== undefined && staffToken !== undefined) return await use({ baseUrl, staffToken });
    }
    throw new Error('The service ended before it was ready.');
  } finally {
    service.kill();
    if (service.exitCode === null) await once(service, 'exit');
  }
};
