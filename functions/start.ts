/**
 * The module that Lambda loads, `index.mjs` of each bundle: it runs what is bundled beside it, and is nothing else's import.
 * Where the folder holds what V8 made of this code before, V8 need not read it again: that holds for one version of Node
 * on one kind of processor, and V8 itself refuses it where it does not fit (lib/infrastructure/compile-caches.ts).
 */
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
const { Script } = process.getBuiltinModule('node:vm');

const here = import.meta.dirname;
const filename = `${here}/function.js`;
const cache = `${here}/${process.version}-${process.arch}.cache`;

/** For lib/infrastructure/compile-cache-process.ts. */
export const script = new Script(readFileSync(filename, 'utf8'), {
  filename,
  ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
});

const module: { exports: { handler?: unknown; primed?: unknown } } = { exports: {} };
script.runInThisContext()(module, process.getBuiltinModule);
await module.exports.primed;

export const { handler } = module.exports;
