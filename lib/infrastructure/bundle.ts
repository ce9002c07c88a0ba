import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, formatMessages, type Plugin } from 'esbuild';
import { replacements } from '../../functions/sdk/replacements.ts';
import { handlerNames } from './endpoints.ts';

const functionsDir = join(import.meta.dirname, '..', '..', 'functions');

/** Replaces modules of the SDK. If the SDK stops importing one of them, the build fails. */
const replaceModules: Plugin = {
  name: 'replace-modules',
  setup: (esbuild) => {
    for (const { imported, importer: importingFile = /./, file } of replacements) {
      let isUsed = false;
      esbuild.onResolve({ filter: imported }, ({ importer }) => {
        if (!importingFile.test(importer)) return undefined;
        isUsed = true;
        return { path: join(functionsDir, 'sdk', file) };
      });
      const text = `Nothing imports ${imported} any more: see functions/sdk/replacements.ts for what to do after an upgrade of the SDK.`;
      esbuild.onEnd(({ errors }) => (isUsed || errors.length > 0 ? undefined : { errors: [{ text }] }));
    }
  },
};

/**
 * No operation here streams events, so nothing imports this at run time but the client of S3, when it loads. A replacement would
 * make esbuild wrap its imports.
 */
const leaveOutEventStreams: Plugin = {
  name: 'leave-out-event-streams',
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

const options = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node24',
  // The SDK's ES modules can be tree-shaken, its CommonJS (esbuild's default for Node) cannot.
  mainFields: ['module', 'main'],
  // Names stay, for readable stack traces in the logs.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // esbuild would print each error besides throwing them all: on a full disk, that is one for each file.
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** The files that a build imports by `import()`, by the name that it imports: they stay files of their own. */
const keepApart = (apart: Map<string, string>): Plugin => ({
  name: 'keep-apart',
  setup: (esbuild) => {
    esbuild.onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = `./${basename(path, '.ts')}.mjs`;
      apart.set(name, join(resolveDir, path));
      return { path: name, external: true };
    });
  },
});

/** Bundles into a folder what others import by `import()`, and what these import in the same way. */
const bundleApart = async (outdir: string, files: ReadonlyMap<string, string>): Promise<void> => {
  const more = new Map<string, string>();
  await build({
    ...options,
    entryPoints: [...files.values()],
    outbase: functionsDir,
    entryNames: '[name]',
    outdir,
    format: 'esm',
    plugins: [keepApart(more)],
  });
  const left = new Map([...more].filter(([name]) => !files.has(name)));
  if (left.size > 0) await bundleApart(outdir, left);
};

/**
 * Bundles functions, so that they start quickly: `index.mjs` in a folder of its own, beside the files that it imports later,
 * which cost a start nothing.
 * @param sources their files, by the name of the bundle's folder in `outDir`
 */
export const bundle = async (outDir: string, sources: ReadonlyMap<string, string>): Promise<void> => {
  const apart = new Map<string, string>();
  const { warnings, metafile } = await build({
    ...options,
    entryPoints: [...sources].map(([folder, source]) => ({ in: source, out: join(folder, 'index') })),
    outdir: outDir,
    metafile: true,
    // The file is an ES module, since Lambda waits for its top-level `await`, which primes the first call. Inside, an IIFE
    // gets Node's modules by `require`: an `import` of `node:http` also loads everything that it exports, such as WebSocket.
    // That would add a tenth to a cold start.
    format: 'iife',
    globalName: 'bundle',
    banner: { js: 'const require = process.getBuiltinModule;' },
    footer: { js: 'await bundle.primed; export const { handler } = bundle;' },
    plugins: [replaceModules, leaveOutEventStreams, keepApart(apart)],
  });
  for (const text of await formatMessages(warnings, { kind: 'warning' })) console.warn(text);
  const filesOf = (imports: readonly { readonly path: string }[]) =>
    new Map([...apart].filter(([name]) => imports.some(({ path }) => path === name)));
  for (const [file, { imports }] of Object.entries(metafile.outputs)) {
    const files = filesOf(imports);
    if (files.size > 0) await bundleApart(dirname(file), files);
  }
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
