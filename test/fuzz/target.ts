import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type LocalService, makeDataDir, removeDataDir, runScript, startService } from '../acceptance/local/service.ts';
import { createClient } from './client.ts';
import type { Caller } from './steps.ts';
import { campaignSchema, type Target } from './world.ts';

const limited = ['contacts:read', 'contacts:delete', 'campaigns:read'] as const;

/** A token with a single permission, from the staff command. */
const issueToken = async (dataDir: string, permission: string): Promise<[string, string]> => {
  const options = ['tokens', 'issue', '--name', permission.replace(':', '-'), '--allow', permission];
  const { output, closed } = runScript('crcs.cjs', { DATA_DIR: dataDir }, ...options);
  await closed;
  const [token] = /^crcs_\S+$/m.exec(output.stdout) ?? [];
  if (token === undefined) throw new Error(`The staff command issued no token: ${output.stderr}`);
  return [permission, token];
};

export interface StartedTarget extends Target {
  readonly output: LocalService['output'];
  readonly stop: () => Promise<void>;
}

/** Starts a service with data of its own, as `npm start` runs it, with tokens of every kind. */
export const startTarget = async (): Promise<StartedTarget> => {
  const dataDir = await makeDataDir();
  const service = await startService(dataDir);
  const { baseUrl, siteOrigin, staffToken, output } = service;
  const client = createClient(baseUrl);
  const tokens: Partial<Record<Caller, string>> = {
    staff: staffToken,
    bearer: `bEARER ${staffToken}`,
    unknown: `crcs_${randomBytes(32).toString('base64url')}`,
    malformed: `${staffToken}x`,
    basic: `Basic ${staffToken}`,
    ...Object.fromEntries(await Promise.all(limited.map((permission) => issueToken(dataDir, permission)))),
  };
  const answer = await client.send({ method: 'GET', path: '/v1/campaigns', headers: { Authentication: staffToken } });
  return {
    client,
    siteOrigin,
    tokens,
    campaigns: v.parse(v.array(campaignSchema), JSON.parse(answer.text)),
    output,
    stop: async () => {
      client.close();
      await service.end('SIGTERM');
      await removeDataDir(dataDir);
    },
  };
};
