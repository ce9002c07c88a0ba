// `npm run test:faults [-- --rounds <number>]`: what the service does while its store fails, when it is killed, when the
// disk is full, when two starts meet. Real sockets, real processes, real time. Prints a table; exit 1 when a cell is bad.
import { parseArgs } from 'node:util';
import { isolate } from '../../lib/local/host/isolation.ts';
import { tryFullDisk } from './full-disk.ts';
import { tryKills } from './kills.ts';
import { type Outcome, table } from './outcome.ts';
import { tryStoreFaults } from './store-faults.ts';
import { tryTwoStarts } from './two-starts.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(options.rounds);
if (!Number.isSafeInteger(rounds)) {
  console.error('--rounds takes a whole number: how often the service is killed.');
  process.exit(1);
}

isolate(process.env);
const bad: Outcome[] = [];
const show = (outcomes: readonly Outcome[]) => {
  console.log(`\n${table(outcomes)}`);
  bad.push(...outcomes.filter(({ wrong }) => wrong !== undefined));
};

show(await tryStoreFaults());
show(await tryKills(rounds));
show(await tryTwoStarts());
const fullDisk = await tryFullDisk();
if (fullDisk) show(fullDisk);
else console.log('\nLeft out: the full disk, since mounting a small one is not allowed here.');

for (const { row, column, wrong } of bad) console.log(`\nBAD: ${row} ${column}: ${wrong}`);
console.log(bad.length === 0 ? '\nNothing lost, and every fault told.' : `\n${bad.length} bad`);
process.exitCode = bad.length === 0 ? 0 : 1;
