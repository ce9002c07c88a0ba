import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Makes JavaScript of a script of this folder, so that its process does nothing for its types. @returns the file */
export const buildScript = async (folder: string, source: string): Promise<string> => {
  const outfile = join(folder, `${basename(source, '.ts')}.mjs`);
  const entryPoints = [join(import.meta.dirname, source)];
  await build({ entryPoints, outfile, format: 'esm', platform: 'node', target: 'node24' });
  return outfile;
};
