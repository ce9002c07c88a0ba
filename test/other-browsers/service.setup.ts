import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { collectPages } from '../browser/pages.ts';
import { startService } from '../browser/service.ts';
import { programs } from './browsers.ts';

const isInstalled = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** What the browsers visit: the pages of test/browser and the inbox, with the service behind them. */
export default async ({ provide }: TestProject) => {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(', ')}: not found. On Debian 12, run as root: apt-get install --no-install-recommends firefox-esr webkit2gtk-driver xvfb`,
    );
  }
  const bundlesFolder = await mkdtemp(join(tmpdir(), 'other-browsers-test-'));
  const pages = await collectPages();
  const { site, stop } = await startService(await bundleFunctions(bundlesFolder), pages.folder);
  provide('service', site);
  return async () => {
    await stop();
    for (const folder of [bundlesFolder, pages.folder]) await rm(folder, { recursive: true });
  };
};
