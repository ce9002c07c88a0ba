// `npm run bench [-- part …]`: runs the parts one after another, each in a process of its own, prints their figures and
// writes them to bench/results.json, for programs, and to docs/measured.md with its pictures, for people.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import packageFile from '../package.json' with { type: 'json' };
import { figure, type Measurement, measurement, times, verdict } from './measurement.ts';
import { type MeasuredPart, page, pictureFolder, sectionOf } from './page.ts';
import type { Part } from './part.ts';
import { parts } from './parts.ts';
import { type Picture, pictureSchema } from './plot/picture.ts';

const root = join(import.meta.dirname, '..');

const measured = v.object({ measurements: v.array(measurement), pictures: v.array(pictureSchema) });

const measure = async (name: string): Promise<v.InferOutput<typeof measured>> => {
  // What handlers log is not part of the output.
  const child = fork(join(import.meta.dirname, 'part-process.ts'), [name], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  // A process that fails is disconnected without having sent anything.
  const [message] = await Promise.race([once(child, 'message'), once(child, 'disconnect')]);
  await exit;
  if (message === undefined) throw new Error(`The part "${name}" failed.`);
  return v.parse(measured, message);
};

const print = (result: Measurement) => {
  const { name, beside } = result;
  const ratio = beside ? `${times(beside.ratio)} ${beside.what}` : '';
  const told = [ratio, verdict(result)].filter(Boolean).join(', ');
  console.log(`${name.padEnd(42)} ${figure(result).padStart(16)}  ${told}`.trimEnd());
};

const { dependencies, devDependencies } = packageFile;

const machine = {
  cpu: cpus()[0]?.model.trim() || 'an unknown CPU',
  cores: availableParallelism(),
  node: process.versions.node,
  packages: {
    '@aws-sdk/client-dynamodb': dependencies['@aws-sdk/client-dynamodb'],
    'aws-cdk-lib': dependencies['aws-cdk-lib'],
    esbuild: devDependencies.esbuild,
  },
};

const writePictures = async (folder: string, pictures: readonly Picture[]) => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const { name, svg } of pictures) await writeFile(join(folder, `${name}.svg`), svg);
};

const run = async (chosen: readonly [string, Part][]) => {
  const measuredParts: (MeasuredPart & { readonly name: string; readonly pictures: readonly Picture[] })[] = [];
  for (const [name, { title, tells }] of chosen) {
    console.log(`\n${title}`);
    const result = await measure(name);
    result.measurements.forEach(print);
    measuredParts.push({ name, title, tells, ...result });
  }

  const at = new Date();
  const results = Object.fromEntries(measuredParts.map(({ name, measurements }) => [name, measurements]));
  await writeFile(
    join(import.meta.dirname, 'results.json'),
    `${JSON.stringify({ at, machine, results }, undefined, 2)}\n`,
  );

  const pictures = measuredParts.flatMap((part) => part.pictures);
  // The page's figures are of one run. A few new ones among older ones would be compared with them, which they cannot be.
  if (measuredParts.length < Object.keys(parts).length) {
    await writePictures(join(root, '.cache', 'bench'), pictures);
    console.log('\ndocs/measured.md stays as it is: only a run of all parts writes it. Pictures are in .cache/bench/.');
    return;
  }
  const docs = join(root, 'docs');
  const file = join(docs, 'measured.md');
  const before = await readFile(file, 'utf8');
  await writePictures(join(docs, pictureFolder), pictures);
  // Another command measures mutants.
  await writeFile(file, page({ at, machine, parts: measuredParts }) + sectionOf(before, 'Mutants'));
  console.log('\nWrote docs/measured.md.');
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(parts, name));
if (unknown === undefined) {
  await run(Object.entries(parts).filter(([name]) => names.length === 0 || names.includes(name)));
} else {
  console.error(`Unknown part "${unknown}": choose from ${Object.keys(parts).join(', ')}.`);
  process.exitCode = 1;
}
