import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { localEnvironment } from '../../../lib/local/environment.ts';
import { startHost } from '../../../lib/local/host/host.ts';
import { announceStore } from '../../../lib/local/host/store/announcement.ts';
import { lockStore } from '../../../lib/local/host/store/store.ts';
import { synthesizeLocal } from '../../../lib/local/synthesize.ts';
import { openTables } from '../../../lib/staff/tables/open.ts';
import { outcome, start } from '../process.ts';
import { startStaff } from '../staff.ts';

const useDataDir = (dataDir: string) => {
  vi.stubEnv('DATA_DIR', dataDir);
  onTestFinished(() => void vi.unstubAllEnvs());
};

it('works on what the service keeps, while it runs and while it does not', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'staff-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  useDataDir(dataDir);
  const synthesize = () => synthesizeLocal(dataDir, localEnvironment({}, { SITE_ORIGINS: [] }));
  const service = await startHost({ dataDir, synthesize, port: 0 });
  const staff = await startStaff();
  expect(await staff.run(['campaigns', 'add', 'Spring'], { openTables })).toMatchObject({ code: 0, stderr: '' });

  await service.close();
  // Who leaves early, as `head` does, leaves the store as it was, too.
  const left = start(['campaigns', 'list']);
  left.stdout.destroy();
  expect((await Promise.all([text(left.stderr), once(left, 'close')]))[0]).toBe('');
  expect(await outcome(start(['campaigns', 'list']))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ID +NAME\n\S+ {2}Spring\n$/),
    stderr: '',
  });
});

it('says that there are no data, and makes none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'staff-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, 'typo');
  expect(await outcome(start(['campaigns', 'add', 'Spring'], { DATA_DIR: dataDir }))).toEqual({
    code: 1,
    stdout: '',
    stderr: `No local service has made its tables in ${dataDir} yet: run "npm start" once, or set DATA_DIR.\n`,
  });
  expect(existsSync(dataDir)).toBe(false);
});

it('says when the service that has made the tables is of another version', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'staff-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  useDataDir(dataDir);
  const store = await lockStore(dataDir, () => {});
  await announceStore(dataDir, { ...(await store.open()), outputs: { MessagesTable: 'messages' } });
  await store.close();
  const staff = await startStaff();
  expect(await staff.run(['campaigns', 'list'], { openTables })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The local service is of another version: run "npm start" again.\n',
  });
  // It is let go of.
  await (await lockStore(dataDir, () => {})).close();
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
