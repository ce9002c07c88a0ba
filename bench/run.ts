// `npm run bench [-- part …]`: runs the parts one after another, each in a process of its own, prints their figures and
// writes them to bench/results.json, for programs, and to docs/measured.md, for people.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { figure, type Measurement, measurement, times, verdict } from './measurement.ts';
import { type MeasuredPart, page, sectionOf, withSection } from './page.ts';
import type { Part } from './part.ts';
import { parts } from './parts.ts';
import { readRehearsed, rehearsedTitle } from './rehearsed.ts';

const measure = async (name: string): Promise<Measurement[]> => {
  // What handlers log is not part of the output.
  const child = fork(join(import.meta.dirname, 'part-process.ts'), [name], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  // A process that fails is disconnected without having sent anything.
  const [message] = await Promise.race([once(child, 'message'), once(child, 'disconnect')]);
  await exit;
  if (message === undefined) throw new Error(`The part "${name}" failed.`);
  return v.parse(v.array(measurement), message);
};

const print = (result: Measurement) => {
  const { name, beside } = result;
  const ratio = beside ? `${times(beside.ratio)} ${beside.what}` : '';
  const told = [ratio, verdict(result)].filter(Boolean).join(', ');
  console.log(`${name.padEnd(42)} ${figure(result).padStart(16)}  ${told}`.trimEnd());
};

const run = async (chosen: readonly [string, Part][]) => {
  const measured: (MeasuredPart & { readonly name: string })[] = [];
  for (const [name, { title, tells }] of chosen) {
    console.log(`\n${title}`);
    const measurements = await measure(name);
    measurements.forEach(print);
    measured.push({ name, title, tells, measurements });
  }

  const at = new Date();
  const machine = {
    cpu: cpus()[0]?.model.trim() || 'an unknown CPU',
    cores: availableParallelism(),
    node: process.versions.node,
  };
  const results = Object.fromEntries(measured.map(({ name, measurements }) => [name, measurements]));
  await writeFile(
    join(import.meta.dirname, 'results.json'),
    `${JSON.stringify({ at, machine, results }, undefined, 2)}\n`,
  );

  // The page's figures are of one run. A few new ones among older ones would be compared with them, which they cannot be.
  if (measured.length < Object.keys(parts).length) {
    console.log('\ndocs/measured.md stays as it is: only a run of all parts writes it.');
    return;
  }
  const file = join(import.meta.dirname, '..', 'docs', 'measured.md');
  const before = await readFile(file, 'utf8');
  // What other commands have measured stays, or is what they have measured since.
  const whole =
    page({ at, machine, parts: measured }) + sectionOf(before, rehearsedTitle) + sectionOf(before, 'Mutants');
  const rehearsed = await readRehearsed();
  await writeFile(file, rehearsed ? withSection(whole, rehearsed) : whole);
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
