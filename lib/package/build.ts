import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleFunctions } from '../infrastructure/bundle.ts';
import { packageOf, specifiersIn, typesBehind } from './imports.ts';
import { constructEntry, constructFolder, manifestOf, program } from './manifest.ts';

const root = join(import.meta.dirname, '..', '..');

/** Files that the package contains unchanged. */
const copied = ['CHANGELOG.md', 'LICENSE', 'README.md', 'openapi.yaml', 'docs/*.{json,md,yaml}'];

const writeJson = (file: string, value: unknown) => writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);

const runCompiler = (project: string, outDir: string): void => {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--project', join(import.meta.dirname, project), '--outDir', outDir];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The compiler stopped:\n${stdout}`);
};

/**
 * Builds the construct: one CommonJS file, which every app can import and which exists once in each, and its types. A
 * package.json beside them says so to Node and to TypeScript.
 * @returns what it imports
 */
const buildConstruct = async (folder: string): Promise<string[]> => {
  const file = join(folder, constructEntry);
  runCompiler('tsconfig.types.json', join(folder, constructFolder));
  const shown = typesBehind(`${file}.d.ts`);
  const types = globSync('**/*.d.ts', { cwd: folder }).map((each) => join(folder, each));
  await Promise.all(types.filter((each) => !shown.has(each)).map((each) => rm(each)));
  const { metafile } = await build({
    entryPoints: [join(root, 'lib', 'infrastructure', 'own-app.ts')],
    outfile: `${file}.js`,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    packages: 'external',
    charset: 'utf8',
    keepNames: true,
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'silent',
    metafile: true,
  });
  await writeJson(join(folder, constructFolder, 'package.json'), { type: 'commonjs' });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return [...imported, ...[...shown].flatMap(specifiersIn)];
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
  runCompiler('tsconfig.json', folder);
  const ofCommand = globSync('**/*.js', { cwd: folder }).flatMap((file) => specifiersIn(join(folder, file)));
  const imported = [...ofCommand, ...(await buildConstruct(folder))];
  const manifest = manifestOf(new Set(imported.map(packageOf).filter((name) => name !== undefined)));
  await writeJson(join(folder, 'package.json'), manifest);
  await cp(join(import.meta.dirname, 'crcs.cjs'), join(folder, program));
  for (const file of globSync(copied, { cwd: root })) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  await bundleFunctions(join(folder, constructFolder, 'bundles'));

  await promisify(execFile)('npm', ['pack', folder, '--pack-destination', outDir]);
  const [archive] = globSync('*.tgz', { cwd: outDir });
  if (archive === undefined) throw new Error(`npm pack wrote no archive into ${outDir}.`);
  return join(outDir, archive);
};
