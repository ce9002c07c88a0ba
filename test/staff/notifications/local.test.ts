import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { localEnvironment } from '../../../lib/local/environment.ts';
import { startHost } from '../../../lib/local/host/host.ts';
import { synthesizeLocal } from '../../../lib/local/synthesize.ts';
import { openNotifications } from '../../../lib/staff/notifications/open.ts';
import { runCommand } from '../staff.ts';

const run = (...args: readonly string[]) => runCommand(['notifications', ...args], { openNotifications });

/** A folder of its own for the local service; nothing is in it. */
const useDataDir = () => {
  const folder = mkdtempSync(join(tmpdir(), 'staff-'));
  const dataDir = join(folder, 'data');
  vi.stubEnv('DATA_DIR', dataDir);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, maxRetries: 9 });
  });
  return dataDir;
};

it('says how to start the local service with a target if it never had one, and makes no data', async () => {
  const dataDir = useDataDir();
  expect(await run('secret')).toEqual({
    code: 1,
    stdout: '',
    stderr: `The local service in ${dataDir} notifies nobody: set DATA_DIR, or start it with a target, as in "NOTIFY_WEBHOOK=http://localhost:9000/ npm start".\n`,
  });
  expect(existsSync(dataDir)).toBe(false);
});

it('prints the secret of the local webhook, whether the service runs or not', async () => {
  const dataDir = useDataDir();
  const environment = localEnvironment({}, { SITE_ORIGINS: [], NOTIFY_WEBHOOK: 'http://localhost:9/' });
  const service = await startHost({ dataDir, synthesize: () => synthesizeLocal(dataDir, environment), port: 0 });
  const printed = await run('secret');
  await service.close();
  const [, secret] = /^secret +whsec_([A-Za-z0-9]{44})$/m.exec(printed.stdout) ?? [];
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toContain(`"${secret}"`);
  expect(await run('secret')).toEqual(printed);
});
