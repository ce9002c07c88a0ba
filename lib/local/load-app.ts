import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';

/** What lib/infrastructure/app.ts exports. */
export type App = typeof import('../infrastructure/app.ts');

const file = join(import.meta.dirname, '..', 'infrastructure', 'app.ts');

/**
 * The CDK app's module as CommonJS. The CDK reads each of its classes from a file of its own, when somebody first asks for it;
 * an ES module that imports one of them makes Node ask for all: more than half of what it takes to synthesize.
 * https://nodejs.org/docs/latest-v24.x/api/esm.html#commonjs-namespaces
 */
export const loadApp = async (): Promise<App> => {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    write: false,
    logLevel: 'warning',
  });
  const run = compileFunction(outputFiles[0]?.text ?? '', ['require', 'module'], { filename: file });
  const loaded: { exports: Partial<App> } = { exports: {} };
  run(createRequire(file), loaded);
  const { appDefaults, createApp } = loaded.exports;
  if (!appDefaults || !createApp) throw new Error(`${file} does not export the app`);
  return { appDefaults, createApp };
};
