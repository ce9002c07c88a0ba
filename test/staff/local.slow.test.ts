import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { startHost } from '../../lib/local/host/host.ts';
import { announceStore } from '../../lib/local/host/store/announcement.ts';
import { lockStore } from '../../lib/local/host/store/store.ts';
import { localEnvironment } from '../../lib/local/local-environment.ts';
import { synthesizeLocal } from '../../lib/local/synthesize.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { outcome, start } from './process.ts';
import { openAsProgram, refusal, runCommand } from './staff.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = join(temporaryFolder(), 'data');
  vi.stubEnv('DATA_DIR', dataDir);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
});

const run = (...args: readonly string[]) => runCommand(args, { openEnvironment: openAsProgram });

it('works on the data of the local service, whether it runs or not', async () => {
  const environment = localEnvironment({}, { SITE_ORIGINS: [], NOTIFY_WEBHOOK: 'http://localhost:9/' });
  const service = await startHost({ dataDir, synthesize: () => synthesizeLocal(dataDir, environment), port: 0 });
  expect(await run('campaigns', 'add', 'Spring')).toMatchObject({ code: 0, stderr: '' });
  const printed = await run('notifications', 'secret');
  await service.close();

  const [, secret] = /^secret +whsec_([A-Za-z0-9]{44})$/m.exec(printed.stdout) ?? [];
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toContain(`"${secret}"`);
  expect(await run('notifications', 'secret')).toEqual(printed);
  // A reader that leaves early, as `head` does, leaves the store as it was.
  const left = start(['campaigns', 'list']);
  left.stdout.destroy();
  expect((await Promise.all([text(left.stderr), once(left, 'close')]))[0]).toBe('');
  expect(await outcome(start(['campaigns', 'list']))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ID +NAME\n\S+ {2}Spring\n$/),
    stderr: '',
  });
});

it('writes the files of the local service, whether it runs or not, and waits for no service that is stopped', async () => {
  const environment = localEnvironment({}, { SITE_ORIGINS: [] });
  const withFiles = { ...environment, files: { scan: false }, forms: { application: { files: true } } } as const;
  const service = await startHost({ dataDir, synthesize: () => synthesizeLocal(dataDir, withFiles), port: 0 });
  const form = new FormData();
  form.set('form-name', 'application');
  form.set('email', 'ada@example.com');
  form.set('cv', new File(['%PDF-1.7 of Ada'], 'cv.pdf'));
  const response = await fetch(`${service.baseUrl}/api/v1/contact`, { method: 'POST', body: form });
  const { id } = v.parse(v.object({ id: v.string() }), await response.json());
  const output = join(dataDir, '..', 'files');
  expect(await run('contacts', 'files', id, '--output', output)).toMatchObject({ code: 0 });
  await service.close();

  expect(await run('contacts', 'files', id, '--output', output)).toMatchObject({ code: 0 });
  expect(readFileSync(join(output, 'cv (2).pdf'), 'utf8')).toBe('%PDF-1.7 of Ada');
  const left = { stdout: expect.stringContaining('\nFiles: 1 (15 bytes), 1 of them not deleted yet\n') };
  expect(await run('contacts', 'erase', '--email', 'ada@example.com', '--yes')).toMatchObject({ code: 1, ...left });
});

it('says that there are no data, and makes none', async () => {
  expect(await run('campaigns', 'add', 'Spring')).toEqual(
    refusal(
      `No local service data in ${dataDir}. Run "npm start" once, set DATA_DIR, or name a deployed environment with --env.`,
    ),
  );
  expect(existsSync(dataDir)).toBe(false);
});

it('says that the data are of another version, and closes the store', async () => {
  const store = await lockStore(dataDir, () => {});
  await announceStore(dataDir, { ...(await store.open()), outputs: { MessagesTable: 'messages' } });
  await store.close();
  expect(await run('campaigns', 'list')).toEqual(
    refusal('The local data are from another version of the service: run "npm start" again.'),
  );
  await (await lockStore(dataDir, () => {})).close();
});

it('names a wrong setting', async () => {
  vi.stubEnv('DATA_DIR', '');
  expect(await run('campaigns', 'list')).toEqual(refusal('DATA_DIR: must not be empty'));
});
