// `npm run test:openapi`: checks openapi.yaml against Redocly's recommended rules; a warning fails, too.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installNpmPackages } from '../support/install.ts';

const root = join(import.meta.dirname, '..', '..');
const packages = installNpmPackages('redocly', join(import.meta.dirname, 'redocly'));

const { status } = spawnSync(
  process.execPath,
  [
    join(packages, '@redocly', 'cli', 'bin', 'cli.js'),
    ...['lint', join(root, 'openapi.yaml'), '--extends=recommended-strict'],
  ],
  { stdio: 'inherit', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
);
process.exitCode = status ?? 1;
