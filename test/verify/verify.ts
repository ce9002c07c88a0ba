// `npm run verify -- --region eu-central-1`: deploys the service to AWS under a random name, observes what only AWS can show, removes
// all of it, and writes a report. docs/testing.md has the permissions. The rehearsal runs it against the emulator.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { awsConsole } from '../rehearsal/aws.ts';
import type { Cloud } from '../rehearsal/cloud.ts';
import { emulatedCloud } from '../rehearsal/emulator.ts';
import { hiddenByEmulator } from '../rehearsal/limits.ts';
import { operatorOf } from '../rehearsal/operator.ts';
import { Steps } from '../rehearsal/steps.ts';
import { CommandError, projectDir, run, untilStopped } from '../support/command.ts';
import type { Patience } from '../support/until.ts';
import { type Account, readAccount } from './account.ts';
import { clientsOf } from './clients.ts';
import { newRunName, runName } from './name.ts';
import type { Hidden } from './observation.ts';
import { deployReceiver } from './receiver-stack.ts';
import { type Remains, remove } from './removal.ts';
import { ownTexts, reportOf } from './report.ts';
import { verifyService } from './service.ts';

const usage = `npm run verify -- --region <region>            deploy to AWS, observe, remove all of it, write a report
  --quick           in half an hour at most, without what waits long
  --from <address>  also send emails, to SES's mailbox simulator, from an address that SES has verified
  --yes             do not ask before
  --brief           run a small part of the acceptance suite
npm run verify -- --clean <name> --region <region>  remove what a run left that could not end
`;

/** @throws {CommandError} one line */
const readOptions = () => {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: { region: text, from: text, clean: text, quick: flag, brief: flag, yes: flag, help: flag },
    });
    const { region, clean, help } = values;
    if (help) return undefined;
    if (region === undefined) throw new Error('--region is missing, as in --region eu-central-1');
    if (clean !== undefined && !runName.test(clean))
      throw new Error(`"${clean}" is not the name of a run, as live-3f9a`);
    return { ...values, region };
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
};

type Options = NonNullable<ReturnType<typeof readOptions>>;

const minute = 60_000;

/** AWS, with the credentials of the shell. */
const awsCloud = (region: string): Cloud => ({
  env: { ...process.env, AWS_REGION: region, CDK_DISABLE_CLI_TELEMETRY: 'true' },
  staffEnv: {},
  app: 'bin/infrastructure.ts',
  lacks: { 'malformed-http': 'API Gateway responds to malformed HTTP in its own way' },
  patience: { limit: 5 * minute, pause: 5_000 },
  movesMessages: true,
  withApi: (url, use) => use(url),
});

/** The endpoint of an emulator on this machine; undefined: AWS. */
const emulator = /^https?:\/\/127\.0\.0\.1:/.test(process.env['AWS_ENDPOINT_URL'] ?? '')
  ? process.env['AWS_ENDPOINT_URL']
  : undefined;

const byQuick = 'left out by --quick';

const hiddenBy = ({ quick, from }: Options): Hidden => ({
  ...(quick && { redrive: byQuick, metrics: byQuick, states: byQuick, drift: byQuick }),
  ...(from === undefined && { emails: 'left out without --from' }),
  ...(emulator !== undefined && hiddenByEmulator),
});

/** @returns the URL at which the service reaches a function, from its URL on AWS */
const reachable = (url: string) =>
  emulator === undefined ? url : `${emulator}/_aws/lambda-url/${new URL(url).hostname.split('.')[0]}`;

/** For what CloudFormation does, and for lists that follow later. @param late how many minutes */
const removalPatience = (late: number): Pick<Remains, 'patience' | 'listPatience'> => {
  const ofEmulator: Patience = { limit: minute, pause: 200 };
  return emulator === undefined
    ? { patience: { limit: 30 * minute, pause: 5_000 }, listPatience: { limit: late * minute, pause: 15_000 } }
    : { patience: ofEmulator, listPatience: ofEmulator };
};

/** A run costs less than this. */
const cost = '$0.10';

const describeAccount = (name: string, region: string, { id, plan, concurrency, requests, role }: Account) =>
  `
Name:        ${name}
Account:     ${id} (plan: ${plan})
Region:      ${region}
Quotas:      ${concurrency} concurrent executions of Lambda, ${requests} requests a second of API Gateway, for everything in the region
Meanwhile:   the role with which API Gateway writes the logs of all APIs in the region is another one${role ? '; then the present one again' : ''}
Cost:        less than ${cost}

It makes two stacks, sends some thousand requests to them, and removes both, also if something fails.
If this process or this machine dies, remove them by:
  npm run verify -- --clean ${name} --region ${region}
`;

const confirm = async (): Promise<boolean> => {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question('Begin? [y/N] ')).trim());
  } finally {
    terminal.close();
  }
};

const versionOf = async (signal: AbortSignal) => {
  const options = { env: process.env, signal };
  const commit = await run('git', ['describe', '--always', '--dirty'], options).catch(() => 'no commit');
  return `${packageJson.version} (${commit.trim()})`;
};

const clean = async (name: string, region: string): Promise<void> => {
  const steps = new Steps();
  try {
    const clients = clientsOf({ region });
    await remove({ clients, name, steps, ...removalPatience(15), signal: untilStopped(60) });
  } finally {
    steps.print();
  }
};

/** @returns whether every step passed */
const verify = async (options: Options): Promise<boolean> => {
  const { region, from, quick, brief } = options;
  const started = new Date();
  const name = newRunName();
  const clients = clientsOf({ region });
  const account = await readAccount(clients, { region, name, from });
  console.log(describeAccount(name, region, account));
  if (!options.yes && !(await confirm()))
    throw new CommandError('Nothing was done. To begin without a question: --yes');

  // What is left of half an hour is for the removal.
  const signal = untilStopped(quick ? 21 : 100);
  const steps = new Steps();
  const folder = join(projectDir, '.cache', 'verify', name);
  await mkdir(folder, { recursive: true });
  const cloud = emulator === undefined ? awsCloud(region) : emulatedCloud(emulator, process.env);
  try {
    const receiver = await steps.run('Deploy a receiver of webhooks', () =>
      deployReceiver(clients, { name, role: account.role, reachable, signal }),
    );
    const operator = operatorOf(cloud, signal, { folder });
    const cast = { cloud, operator, aws: awsConsole({ region }), receiver, steps, signal };
    const hidden = hiddenBy(options);
    const cloudWatchPatience = { limit: 25 * minute, pause: 30_000 };
    await verifyService({ cast, clients, name, from, hidden, isBrief: brief, cloudWatchPatience });
  } catch (error) {
    // The step has it already, unless the run was stopped between two steps.
    console.error(error instanceof Error ? error.message : error);
    if (signal.aborted)
      steps.notShown(`what comes later: ${signal.reason instanceof Error ? signal.reason.message : signal.reason}`);
  }
  // A signal of its own: whatever stopped the run must not stop its removal.
  const remains: Remains = {
    clients,
    name,
    steps,
    ...removalPatience(quick ? 3 : 15),
    signal: AbortSignal.timeout(60 * minute),
  };
  let isRemoved = false;
  try {
    await remove(remains);
    isRemoved = true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(`Not all is removed. Try again: npm run verify -- --clean ${name} --region ${region}`);
  }
  const facts = {
    Version: await versionOf(AbortSignal.timeout(minute)),
    Where: emulator === undefined ? `AWS, ${region}` : 'an emulator: this proves nothing about AWS',
    When: `${started.toISOString().slice(0, 16)}Z, ${((Date.now() - started.getTime()) / minute).toFixed(0)} minutes`,
    Options: [quick && 'quick', brief && 'brief', from && 'from'].filter(Boolean).join(', ') || 'none',
    'Plan of the account': account.plan,
    'Concurrent executions of Lambda': account.concurrency,
    'Requests a second of API Gateway': account.requests,
    "API Gateway's role before": account.role ? 'one' : 'none',
    Removed: isRemoved ? 'all of it' : '**not all of it**',
  };
  const report = join(folder, 'report.md');
  const known = [account.id, ...(from ? [from] : []), ...ownTexts(process.env)];
  await writeFile(report, reportOf({ facts, steps: steps.ended, gaps: steps.gaps }, known));
  steps.print();
  console.log(`\nReport: ${report}`);
  return !signal.aborted && steps.ended.every(({ error }) => error === undefined);
};

// A terminal that is closed must not stop the removal.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  const options = readOptions();
  if (!options) process.stdout.write(usage);
  else if (options.clean !== undefined) await clean(options.clean, options.region);
  else if (!(await verify(options))) process.exitCode = 1;
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof CommandError ? error.message : error);
}
