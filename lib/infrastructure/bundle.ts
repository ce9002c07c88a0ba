import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { handlerNames } from './endpoints.ts';

const functionsDir = join(import.meta.dirname, '..', '..', 'functions');

/**
 * Parts of the SDK that no function needs on Lambda: the import, the importing files, and the replacement.
 */
const replacedImports: readonly (readonly [imported: RegExp, importer: RegExp, replacement: string])[] = [
  [/^@aws-sdk\/credential-provider-node$/, /./, 'sdk-shims.ts'],
  [/^@aws-sdk\/middleware-endpoint-discovery$/, /./, 'sdk-shims.ts'],
  [/\/loadSharedConfigFiles$/, /./, 'config-shims.ts'],
  [/^@aws-sdk\/core\/protocols$/, /client-dynamodb/, 'dynamodb-shims.ts'],
  [/^@aws-sdk\/dynamodb-codec$/, /client-dynamodb/, 'dynamodb-shims.ts'],
  [/\/endpointResolver$/, /client-dynamodb/, 'dynamodb-shims.ts'],
];

/** Replaces these imports. If the SDK stops importing one of them, the build fails. */
const sdkShims: Plugin = {
  name: 'sdk-shims',
  setup: (esbuild) => {
    for (const [filter, importingFile, replacement] of replacedImports) {
      let isUsed = false;
      esbuild.onResolve({ filter }, ({ importer }) => {
        if (!importingFile.test(importer)) return undefined;
        isUsed = true;
        return { path: join(functionsDir, 'shared', replacement) };
      });
      esbuild.onEnd(({ errors }) =>
        isUsed || errors.length > 0
          ? undefined
          : {
              errors: [
                { text: `Nothing imports ${filter} any more: remove it here and in functions/shared/${replacement}.` },
              ],
            },
      );
    }
  },
};

/**
 * Bundles functions, so that they start quickly: one file for each, `index.mjs` in its own folder.
 * @param sources their files, by the name of the bundle's folder in `outDir`
 */
export const bundle = async (outDir: string, sources: ReadonlyMap<string, string>): Promise<void> => {
  await build({
    entryPoints: [...sources].map(([folder, source]) => ({ in: source, out: join(folder, 'index') })),
    outdir: outDir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    // The file is an ES module, since Lambda waits for its top-level `await`, which primes the first call. Inside, an IIFE
    // gets Node's modules by `require`: an `import` of `node:http` also loads everything that it exports, such as WebSocket.
    // That would add a tenth to a cold start.
    format: 'iife',
    globalName: 'bundle',
    banner: { js: 'const require = process.getBuiltinModule;' },
    footer: { js: 'await bundle.primed; export const { handler } = bundle;' },
    // The SDK's ES modules can be tree-shaken, its CommonJS (esbuild's default for Node) cannot.
    mainFields: ['module', 'main'],
    plugins: [sdkShims],
    // No operation here streams events, so nothing imports it at run time. A replacement would make esbuild wrap its imports.
    external: ['@smithy/core/event-streams'],
    // Names stay, for readable stack traces in the logs.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
};

/**
 * Bundles functions, each with the SDK.
 * @param handlers which functions. @defaultValue all
 * @returns `outDir`, with a folder for each function, named like the handler
 */
export const bundleFunctions = async (outDir: string, handlers = handlerNames): Promise<string> => {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  await bundle(outDir, new Map(handlers.map((handler) => [handler, join(functionsDir, `${handler}.ts`)])));
  return outDir;
};
