import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { bundleDir, handlerNames } from './handlers.ts';
import { withStandIns } from './stand-ins.ts';

const functionsDir = join(import.meta.dirname, '..', '..', 'functions');

/**
 * Bundles functions, so that they start quickly: each into a folder with `index.mjs`, which Lambda loads, and `function.js`.
 * @param sources their files, by the name of the bundle's folder in `outDir`
 */
export const bundle = async (outDir: string, sources: ReadonlyMap<string, string>): Promise<void> => {
  await build({
    entryPoints: [...sources].map(([folder, source]) => ({ in: source, out: join(folder, 'function') })),
    outdir: outDir,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // What functions/start.ts runs: a script, whose code V8 can keep. An ES module that imports one thing of `node:http` makes
    // Node load all that it exports, such as WebSocket.
    format: 'cjs',
    // A script of `node:vm` cannot import, but with a feature that Node warns of at each start.
    supported: { 'dynamic-import': false },
    banner: { js: '(function (module, require) {' },
    footer: { js: '})' },
    // The SDK's ES modules can be tree-shaken, its CommonJS (esbuild's default for Node) cannot.
    mainFields: ['module', 'main'],
    plugins: [withStandIns],
    // Names stay, for readable stack traces in the logs.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const start = await readFile(join(functionsDir, 'start.ts'), 'utf8');
  const { code } = await transform(start, { loader: 'ts', format: 'esm', target: 'node24', minifyWhitespace: true });
  await Promise.all([...sources.keys()].map((folder) => writeFile(join(outDir, folder, 'index.mjs'), code)));
};

/**
 * Bundles functions, each with the SDK.
 * @param handlers which. @defaultValue all
 * @returns the folder that holds a folder for each, to give to `bundleDir`
 */
export const bundleFunctions = async (outDir: string, handlers = handlerNames): Promise<string> => {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  await bundle(
    outDir,
    new Map(handlers.map((handler) => [bundleDir('', handler), join(functionsDir, `${handler}.ts`)])),
  );
  return outDir;
};
