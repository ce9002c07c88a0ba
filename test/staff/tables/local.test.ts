import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { localEnvironment } from '../../../lib/local/environment.ts';
import { startHost } from '../../../lib/local/host/host.ts';
import { synthesizeLocal } from '../../../lib/local/synthesize.ts';
import { openTables } from '../../../lib/staff/tables/open.ts';
import { outcome, start } from '../process.ts';
import { startStaff } from '../staff.ts';

// Synthesizes the stack.
vi.setConfig({ testTimeout: 60_000 });

const useDataDir = (dataDir: string) => {
  vi.stubEnv('DATA_DIR', dataDir);
  onTestFinished(() => void vi.unstubAllEnvs());
};

it('makes the local store when it is not there, and works on it while the service runs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'staff-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  useDataDir(dataDir);
  expect(await outcome(start(['campaigns', 'add', 'Before']))).toMatchObject({ code: 0, stderr: '' });

  const service = await startHost({
    dataDir,
    synthesize: () => synthesizeLocal(dataDir, localEnvironment({}, { SITE_ORIGINS: [] })),
    port: 0,
  });
  onTestFinished(() => service.close());
  const staff = await startStaff();
  expect(await staff.run(['campaigns', 'list'], { openTables })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ID +NAME\n\S+ {2}Before\n$/),
  });
});

it('tells which setting is wrong', async () => {
  useDataDir('');
  const staff = await startStaff();
  expect(await staff.run(['campaigns', 'list'], { openTables })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Failed: DATA_DIR: must not be empty\n',
  });
});
