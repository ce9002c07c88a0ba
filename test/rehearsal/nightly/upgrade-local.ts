import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendTo } from '../../acceptance/http.ts';
import { type LocalService, startService } from '../../acceptance/local/service.ts';
import { projectDir, run } from '../../support/command.ts';
import { mailsIn } from '../../support/mails.ts';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { ownEnvironment } from '../emulator.ts';
import { tokenIn } from '../operator.ts';
import { firstSettings } from '../settings.ts';
import type { Cast } from '../steps.ts';
import { checkOldest, fillOldest, type Place, settingsOfThen } from './oldest-data.ts';
import { checkOutOldestRelease } from './oldest-release.ts';

/** Runs `npm start` and `crcs` of the version in a project's folder, on the same data. */
const versionIn = (folder: string, dataDir: string, settings: Record<string, string>, signal: AbortSignal) => {
  const env = { ...ownEnvironment, ...settings, DATA_DIR: dataDir };
  const crcs = join(folder, 'bin', 'crcs.cjs');
  const staff: Place['staff'] = (...args) => run(process.execPath, [crcs, ...args], { env, signal, cwd: folder });
  return { staff, start: () => startService(dataDir, settings, folder) };
};

const isInMail = (dataDir: string, id: string) =>
  // Quoted-printable breaks long lines.
  mailsIn(dataDir).some((mail) => mail.replaceAll('=\r\n', '').includes(id));

/** 4.0.0 ends by the signal, and this version starts on its data. */
const upgradeAfter = async (ending: 'SIGTERM' | 'SIGKILL', folderOfThen: string, signal: AbortSignal) => {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-upgrade-'));
  const dataDir = join(folder, 'data');
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify({ dev: { ...firstSettings, ...settingsOfThen } }));
  let isDown = true;
  await using receiver = await startReceiver((response) => response.writeHead(isDown ? 500 : 204).end());
  const settings = {
    CRCS_SETTINGS: settingsFile,
    NOTIFY_EMAIL: 'staff@example.com',
    NOTIFY_WEBHOOK: receiver.url,
  };
  let service: LocalService | undefined;
  try {
    const then = versionIn(folderOfThen, dataDir, settings, signal);
    service = await then.start();
    const token = tokenIn(await then.staff('tokens', 'issue', '--name', 'script', '--allow', 'all'));
    await then.staff('campaigns', 'add', 'Trade fair');
    const data = await fillOldest({ baseUrl: service.baseUrl, token, staff: then.staff });
    const { staffToken } = service;
    await service.end(ending);

    const now = versionIn(projectDir, dataDir, settings, signal);
    const earlier = receiver.received.length;
    isDown = false;
    service = await now.start();
    assert.equal(service.staffToken, staffToken);
    assert.equal((await sendTo(service.inboxUrl)).status, 200);
    assert.match(await now.staff('campaigns', 'list'), / Trade fair$/m);
    const notified = (id: string) =>
      until(
        `a mail and a webhook about ${id}`,
        () =>
          (isInMail(dataDir, id) && receiver.received.slice(earlier).some(({ body }) => body.includes(id))) ||
          undefined,
        signal,
      );
    // 4.0.0 could not deliver the webhook.
    await notified(data.responseTo('topics').id);
    const place = { baseUrl: service.baseUrl, token, staff: now.staff };
    await checkOldest(place, data, notified);
  } finally {
    await service?.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
};

/** Opens a data folder of 4.0.0 with the `npm start` of this version. It needs no emulator. */
export const rehearseLocalUpgrade = async (cast: Cast): Promise<void> => {
  const { steps, signal } = cast;
  const folder = await checkOutOldestRelease(cast);
  if (folder === undefined) return;
  for (const ending of ['SIGTERM', 'SIGKILL'] as const) {
    await steps.run(`Open a data folder of 4.0.0, which ended by ${ending}`, () =>
      upgradeAfter(ending, folder, signal),
    );
  }
};
