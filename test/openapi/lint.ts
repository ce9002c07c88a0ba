// `npm run test:openapi`: checks openapi.yaml against Redocly's recommended rules; a warning fails, too.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.cache', 'redocly');

// Redocly's command is not a dependency of the project: only this needs its 15 MB.
mkdirSync(cache, { recursive: true });
for (const name of ['package.json', 'package-lock.json'])
  copyFileSync(join(import.meta.dirname, 'redocly', name), join(cache, name));
execFileSync('npm', ['ci', '--prefix', cache, '--no-audit', '--no-fund'], { stdio: 'inherit' });

const { status } = spawnSync(
  process.execPath,
  [
    join(cache, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js'),
    ...['lint', join(root, 'openapi.yaml'), '--extends=recommended-strict'],
  ],
  // No telemetry.
  { stdio: 'inherit', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
);
process.exitCode = status ?? 1;
