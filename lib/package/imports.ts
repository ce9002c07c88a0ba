import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The imports of a compiled file, or of its types. */
export const specifiersIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport|\bimport\()\s*["']([^"'\s]+)["']/g)].map(
    ([, specifier = '']) => specifier,
  );

/** The package of a specifier; undefined for a file or a module of Node. */
export const packageOf = (specifier: string): string | undefined =>
  /^(?!node:|\.)(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];

/** A file of types and the files that it imports, directly or not. */
export const typesBehind = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  found.add(file);
  for (const specifier of specifiersIn(file).filter((each) => each.startsWith('.'))) {
    const named = join(file, '..', specifier.replace(/\.[jt]s$/, '.d.ts'));
    if (!found.has(named)) typesBehind(named, found);
  }
  return found;
};
