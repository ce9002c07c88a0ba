// `npm run bench [part …]`: runs the parts one after another, each in a process of its own, prints a table and writes
// bench/results.json. Compare figures of one run only: a machine has faster and slower hours.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Measurement, measurement } from './measurement.ts';
import { parts } from './parts.ts';

const runPart = async (name: string): Promise<Measurement[]> => {
  // What handlers log is not part of the output.
  const child = fork(join(import.meta.dirname, 'part.ts'), [name], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [[message]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  return v.parse(v.array(measurement), message);
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
const results: Measurement[] = [];
for (const name of chosen) {
  for (const result of await runPart(name)) {
    results.push(result);
    console.log(`${result.name.padEnd(84)} ${result.value.toFixed(2).padStart(10)} ${result.unit}`);
  }
}

const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model };
await writeFile(join(import.meta.dirname, 'results.json'), `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
