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

/** Node loads a module of its own when something of it is used: many are used by few calls. */
const lazily = (id: string) => {
  let loaded: object | undefined;
  const load = () => {
    loaded ??= process.getBuiltinModule(id) ?? {};
    return loaded;
  };
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(load(), name),
      // For what is imported as a whole.
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_, name) => ({
        ...Reflect.getOwnPropertyDescriptor(load(), name),
        configurable: true,
      }),
    },
  );
};

const module: { exports: { handler?: unknown; primed?: unknown } } = { exports: {} };
script.runInThisContext()(module, lazily);
await module.exports.primed;

export const { handler } = module.exports;
