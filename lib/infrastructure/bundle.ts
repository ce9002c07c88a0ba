import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleDir, handlerNames } from './handlers.ts';

const functionsDir = join(import.meta.dirname, '..', '..', 'functions');

/**
 * A static `import 'node:http'` in an ES module makes Node load undici to fill the namespace's named exports;
 * `process.getBuiltinModule` does not, and it gives the bundled CommonJS a `require` for built-in modules besides.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path }) =>
      process.getBuiltinModule(path) ? { path, namespace: 'builtin' } : undefined,
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};

/** How the functions are bundled: to start quickly. */
export const bundling = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // The SDK's ES modules can be tree-shaken, its CommonJS (esbuild's default for Node) cannot.
  mainFields: ['module', 'main'],
  alias: {
    // Lambda gives credentials in the environment: the other providers (SSO, profiles, STS …) are dead weight there.
    '@aws-sdk/credential-provider-node': join(functionsDir, 'lambda-credentials.ts'),
  },
  plugins: [lazyBuiltins],
  minify: true,
  // Readable stack traces in the logs, at no cost in the bundle.
  keepNames: true,
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
