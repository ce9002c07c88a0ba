import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a compiled file, or its types, names of other files and packages. */
export const specifiersIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport|\bimport\()\s*["']([^"'\s]+)["']/g)].map(
    ([, specifier = '']) => specifier,
  );

/** The name of the package that a specifier is of; nothing where it is of a file, or of Node. */
export const packageOf = (specifier: string): string | undefined =>
  /^(?!node:|\.)(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];

/** The types that those of a file name, by way of whichever others, itself included. */
export const typesBehind = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  found.add(file);
  for (const specifier of specifiersIn(file).filter((each) => each.startsWith('.'))) {
    const named = join(file, '..', specifier.replace(/\.[jt]s$/, '.d.ts'));
    if (!found.has(named)) typesBehind(named, found);
  }
  return found;
};
