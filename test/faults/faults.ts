// `npm run test:faults [-- --rounds <number>]`: kills the service under load and fills its disk. Real processes, sockets and
// time. Exits with 1 at the first loss.
import { parseArgs } from 'node:util';
import { isolateTests } from '../support/isolation.ts';
import { tryFullDisk } from './full-disk.ts';
import { tryKills } from './kills.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '2' } } });
const rounds = Number(options.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) {
  console.error('--rounds: must be a whole number of 1 or greater.');
  process.exit(1);
}

isolateTests();
await tryKills(rounds);
await tryFullDisk();
console.log('Nothing was lost.');
