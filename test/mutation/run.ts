// `npm run test:mutation [-- --mutate <files>]` changes functions/ in one place at a time and reports the changes that no test
// notices. Only a run of all files writes its score to docs/measured.md. A run takes over earlier results if neither the
// file nor its tests have changed (.cache/mutation/incremental.json).
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { withSection } from '../../bench/page.ts';
import { installNpmPackages } from '../support/install.ts';
import { reportSchema, scoreSection } from './score.ts';

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.cache', 'mutation');
const measured = join(root, 'docs', 'measured.md');
const report = join(cache, 'report.json');

// Vitest is the project's own.
const packages = installNpmPackages('mutation', join(import.meta.dirname, 'stryker'), '--legacy-peer-deps');

const options = process.argv.slice(2);
const stryker = join(packages, '@stryker-mutator', 'core', 'bin', 'stryker.js');
rmSync(report, { force: true });
const { status } = spawnSync(
  process.execPath,
  [stryker, 'run', join(import.meta.dirname, 'stryker.config.json'), ...options],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
if (status === 0 && options.length === 0) {
  const section = scoreSection(v.parse(reportSchema, JSON.parse(readFileSync(report, 'utf8'))), new Date());
  writeFileSync(measured, withSection(readFileSync(measured, 'utf8'), section));
  console.log('Wrote the section of docs/measured.md.');
}
