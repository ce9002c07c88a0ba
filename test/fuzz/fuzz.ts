// `npm run test:fuzz [-- --requests <number> --seed <number>]`: seeded requests over all endpoints and no endpoint, to a
// service of its own as `npm start` runs it; each answer is checked against the contract as contract.ts has it.
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { checkCreate, checkPreflight } from './check-create.ts';
import { checkElsewhere, checkList, checkOne, checkRaw } from './check-read.ts';
import { kept } from './kept.ts';
import { type Step, scenario } from './steps.ts';
import { startTarget } from './target.ts';
import { marker } from './texts.ts';
import { createWorld, type World } from './world.ts';

/** So many scenarios have a seed in common; it takes so long at most, the cutting down of a failure included. */
const [scenariosPerSeed, secondsPerSeed] = [200, 60];

const check = (world: World, step: Step, nonce: string): Promise<void> => {
  switch (step.kind) {
    case 'create':
      return checkCreate(world, step, nonce);
    case 'list':
      return checkList(world, step);
    case 'one':
      return checkOne(world, step);
    case 'elsewhere':
      return checkElsewhere(world, step);
    case 'preflight':
      return checkPreflight(world, step.origin);
    case 'raw':
      return checkRaw(world, step);
  }
};

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
const wanted = Number(options.requests);
const firstSeed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(options.seed);
if (!Number.isSafeInteger(wanted) || !Number.isSafeInteger(firstSeed)) {
  console.error('--requests and --seed take whole numbers.');
  process.exit(1);
}

const target = await startTarget();
const world = createWorld(target);
const started = performance.now();
const counts = new Map<string, number>();
let scenarios = 0;

const perform = async (steps: readonly Step[]) => {
  scenarios += 1;
  for (const step of steps) {
    counts.set(step.kind, (counts.get(step.kind) ?? 0) + 1);
    await check(world, step, `${scenarios}-`);
  }
};

const fail = (what: string, steps: readonly Step[], error: unknown) => {
  console.error(`\n${what}\n\n${error instanceof Error ? error.message : error}\n\nSent:\n${JSON.stringify(steps)}`);
  process.exitCode = 1;
};

for (const { found, steps } of kept) {
  await perform(steps).catch((error) => fail(`Again: ${found}`, steps, error));
}
console.log(`${kept.length} kept scenarios sent. Seed ${firstSeed}, ${wanted.toLocaleString('en')} requests:`);

for (let seed = firstSeed; target.client.count() < wanted && process.exitCode === undefined; seed += 1) {
  const result = await fc.check(fc.asyncProperty(scenario, perform), {
    seed,
    numRuns: scenariosPerSeed,
    interruptAfterTimeLimit: secondsPerSeed * 1000,
  });
  if (result.failed && result.counterexample) {
    const [steps] = result.counterexample;
    fail(
      `Found with --seed ${seed} (path ${result.counterexamplePath}); keep it in test/fuzz/kept.ts:`,
      steps,
      result.errorInstance,
    );
  }
}

const requests = target.client.count();
const seconds = (performance.now() - started) / 1000;
await target.stop();

const lines = target.output.stderr.split('\n');
const leak = lines.find((line) => line.includes(marker) || line.includes(target.tokens.staff ?? marker));
if (leak !== undefined) fail('The log holds what was sent:', [], leak.slice(0, 500));

console.log(
  [...counts].map(([kind, count]) => `${kind.padEnd(10)} ${count.toLocaleString('en').padStart(9)}`).join('\n'),
);
const perSecond = (requests / seconds).toFixed(0);
console.log(
  `${requests.toLocaleString('en')} requests in ${scenarios.toLocaleString('en')} scenarios, ${seconds.toFixed(0)} s, ${perSecond} a second; ${world.contacts.size.toLocaleString('en')} contact requests stored, ${lines.length.toLocaleString('en')} log lines; ${target.client.absences()} reads were told to come back.`,
);
console.log(process.exitCode === undefined ? 'Every answer is as the contract says.' : 'FAILED');
