import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { makeDataDir, removeDataDir, runStaffCommand, startService } from './local/service.ts';
import { type Permission, permissions } from './settings.ts';

/** A token with a single permission, from the staff command, while the service runs. */
const issueToken = async (dataDir: string, permission: Permission): Promise<[Permission, string]> => {
  const name = permission.replace(':', '-');
  const { output, closed } = runStaffCommand(
    { DATA_DIR: dataDir },
    ...['tokens', 'issue', '--name', name, '--allow', permission],
  );
  await closed;
  const [token] = /^crcs_\S+$/m.exec(output.stdout) ?? [];
  if (token === undefined) throw new Error(`The staff command issued no token: ${output.stderr}`);
  return [permission, token];
};

/** Points the suite at a service of its own on this machine, as `npm start` runs it. */
export default async (project: TestProject) => {
  const run = randomUUID();
  const dataDir = await makeDataDir();
  const { baseUrl, siteOrigin, inboxOrigin, staffToken, output, end } = await startService(dataDir);
  const limitedTokens = Object.fromEntries(
    await Promise.all(permissions.map((permission) => issueToken(dataDir, permission))),
  );
  project.provide('target', { baseUrl, siteOrigin, inboxOrigin, staffToken, limitedTokens, lacks: [], run });

  return async () => {
    await end('SIGINT');
    await removeDataDir(dataDir);
    // The marker stands in every message that the suite sent.
    const secrets = [run, staffToken, ...Object.values(limitedTokens)];
    const leak = output.stderr.split('\n').find((line) => secrets.some((secret) => line.includes(secret)));
    if (leak !== undefined) throw new Error(`The log of the run holds personal data or a token: ${leak}`);
  };
};
