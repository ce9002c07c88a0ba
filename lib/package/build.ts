import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleFunctions } from '../infrastructure/bundle.ts';
import { packageOf, specifiersIn, typesBehind } from './imports.ts';
import { entry, manifestOf, program } from './manifest.ts';

const root = join(import.meta.dirname, '..', '..');

/** Files that the package contains unchanged. */
const copied = ['CHANGELOG.md', 'LICENSE', 'README.md', 'openapi.yaml', 'docs/*.{json,md,yaml}'];

/** Compiles the construct and the staff command, and removes the types that the construct's own do not import. */
const compile = async (folder: string): Promise<void> => {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--project', import.meta.dirname, '--outDir', folder];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The compiler stopped:\n${stdout}`);
  const shown = typesBehind(join(folder, `${entry}.d.ts`));
  const types = globSync('**/*.d.ts', { cwd: folder }).map((file) => join(folder, file));
  await Promise.all(types.filter((file) => !shown.has(file)).map((file) => rm(file)));
};

/**
 * Builds the package: the construct for other CDK apps, with the functions' bundles, and the staff command.
 * @param outDir is emptied first; its folder `package/` is packed
 * @returns the archive
 */
export const buildPackage = async (outDir: string): Promise<string> => {
  const folder = join(outDir, 'package');
  await rm(outDir, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await compile(folder);

  const code = globSync('**/*.{js,d.ts}', { cwd: folder }).flatMap((file) => specifiersIn(join(folder, file)));
  const manifest = manifestOf(new Set(code.map(packageOf).filter((name) => name !== undefined)));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await cp(join(import.meta.dirname, 'crcs.cjs'), join(folder, program));
  for (const file of globSync(copied, { cwd: root })) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  await bundleFunctions(join(folder, 'bundles'));

  await promisify(execFile)('npm', ['pack', folder, '--pack-destination', outDir]);
  const [archive] = globSync('*.tgz', { cwd: outDir });
  if (archive === undefined) throw new Error(`npm pack wrote no archive into ${outDir}.`);
  return join(outDir, archive);
};
