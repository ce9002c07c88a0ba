import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleDir, handlerNames } from './handlers.ts';
import { withStandIns } from './stand-ins.ts';

const functionsDir = join(import.meta.dirname, '..', '..', 'functions');

/**
 * A static `import 'node:http'` in an ES module makes Node load undici to fill the namespace's named exports, and what is
 * imported by name is loaded whether it is needed or not. So a bundle is made as CommonJS, whose `require` is here: it
 * loads a module of Node's own when something of it is used. What is around it makes an ES module of it.
 */
const head = `const module = { exports: {} };
const require = (id) => new Proxy({}, { get: (_, name) => process.getBuiltinModule(id)[name] });`;
const foot = `const { handler: bundledHandler } = module.exports;
export { bundledHandler as handler };`;

/** How the functions are bundled: to start quickly. */
export const bundling = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  banner: { js: head },
  footer: { js: foot },
  // The SDK's ES modules can be tree-shaken, its CommonJS (esbuild's default for Node) cannot.
  mainFields: ['module', 'main'],
  plugins: [withStandIns],
  // Names stay, for readable stack traces in the logs.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/**
 * Bundles all functions, each with the SDK, in one esbuild run.
 * @returns the folder that holds a folder for each, to give to `bundleDir`
 */
export const bundleFunctions = async (outDir: string): Promise<string> => {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  await build({
    entryPoints: handlerNames.map((handler) => ({
      in: join(functionsDir, `${handler}.ts`),
      out: join(bundleDir('', handler), 'index'),
    })),
    outdir: outDir,
    ...bundling,
  });
  return outDir;
};
