// `npm run test:mutation [-- --mutate <files>]` changes functions/ in one place at a time, and prints the changes that no
// test notices, and the score of each file. A run takes over earlier results if neither the file nor its tests have changed
// (.cache/mutation/incremental.json).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installNpmPackages } from '../support/install.ts';

const folder = import.meta.dirname;
// Vitest is the project's own.
const packages = installNpmPackages('mutation', join(folder, 'stryker'), '--legacy-peer-deps');
const stryker = join(packages, '@stryker-mutator', 'core', 'bin', 'stryker.js');
const args = [stryker, 'run', join(folder, 'stryker.config.json'), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
