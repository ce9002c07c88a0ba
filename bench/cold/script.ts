import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** Makes JavaScript of a script, so that its process does nothing for its types. @returns the file */
export const buildScript = async (folder: string, source: string): Promise<string> => {
  const outfile = join(folder, `${basename(source, '.ts')}.mjs`);
  await build({ entryPoints: [source], outfile, format: 'esm', platform: 'node', target: 'node24' });
  return outfile;
};
