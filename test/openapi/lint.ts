// `npm run test:openapi`: whether openapi.json keeps Redocly's recommended rules, with none of its warnings.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.cache', 'redocly');

// Redocly's command is no dependency of the project: 15 MB that only this needs.
mkdirSync(cache, { recursive: true });
for (const name of ['package.json', 'package-lock.json'])
  copyFileSync(join(import.meta.dirname, 'redocly', name), join(cache, name));
execFileSync('npm', ['ci', '--prefix', cache, '--no-audit', '--no-fund'], { stdio: 'inherit' });

const { status } = spawnSync(
  process.execPath,
  [
    join(cache, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js'),
    ...['lint', join(root, 'openapi.json'), '--extends=recommended-strict'],
  ],
  // It tells nobody of its use.
  { stdio: 'inherit', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
);
process.exitCode = status ?? 1;
