import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { GetAccountCommand, GetRestApisCommand, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListRolesCommand } from '@aws-sdk/client-iam';
import { ListEventSourceMappingsCommand, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { GetResourcesCommand } from '@aws-sdk/client-resource-groups-tagging-api';
import { ListSecretsCommand } from '@aws-sdk/client-secrets-manager';
import {
  CreateEmailIdentityCommand,
  ListConfigurationSetsCommand,
  ListEmailIdentitiesCommand,
} from '@aws-sdk/client-sesv2';
import { ListTopicsCommand } from '@aws-sdk/client-sns';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { CommandError, projectDir } from '../../support/command.ts';
import { type Clients, clientsOf } from '../../verify/clients.ts';
import { credentials, region } from '../emulator.ts';
import type { Rehearsal } from '../steps.ts';

/** What the account of the emulator holds, whoever made it. Not by removal.ts, which this checks. */
const inventory = async (clients: Clients) => ({
  stacks: (await clients.cloudFormation.send(new DescribeStacksCommand({}))).Stacks?.map(({ StackName }) => StackName),
  tables: (await clients.dynamoDb.send(new ListTablesCommand({}))).TableNames,
  functions: (await clients.lambda.send(new ListFunctionsCommand({}))).Functions?.map((one) => one.FunctionName),
  mappings: (await clients.lambda.send(new ListEventSourceMappingsCommand({}))).EventSourceMappings?.length,
  logs: (await clients.logs.send(new DescribeLogGroupsCommand({}))).logGroups?.map((one) => one.logGroupName),
  roles: (await clients.iam.send(new ListRolesCommand({ MaxItems: 1000 }))).Roles?.map(({ RoleName }) => RoleName),
  queues: (await clients.sqs.send(new ListQueuesCommand({}))).QueueUrls ?? [],
  topics: (await clients.sns.send(new ListTopicsCommand({}))).Topics ?? [],
  alarms:
    (await clients.cloudWatch.send(new DescribeAlarmsCommand({}))).MetricAlarms?.map((one) => one.AlarmName) ?? [],
  secrets: (await clients.secrets.send(new ListSecretsCommand({}))).SecretList?.map(({ Name }) => Name),
  sets: (await clients.ses.send(new ListConfigurationSetsCommand({}))).ConfigurationSets ?? [],
  identities: (await clients.ses.send(new ListEmailIdentitiesCommand({}))).EmailIdentities?.length,
  apis: (await clients.apiGateway.send(new GetRestApisCommand({}))).items?.map((one) => one.name) ?? [],
  role: (await clients.apiGateway.send(new GetAccountCommand({}))).cloudwatchRoleArn ?? '',
  tagged: (await clients.tagging.send(new GetResourcesCommand({}))).ResourceTagMappingList?.map(
    (one) => one.ResourceARN,
  ),
});

/** The ids of a process and of all that it started, also of what leads a group of its own. */
const family = (root: number): number[] => {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const withChildren = (pid: number): number[] => [
    pid,
    ...processes.flatMap(([child = 0, parent]) => (parent === pid ? withChildren(child) : [])),
  ];
  return withChildren(root);
};

const send = (signal: NodeJS.Signals, pid: number): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
};

/** Kills a process and all that it started, as if the machine died. */
const killAll = (root: number): void => {
  const stopped = new Set<number>();
  // What is stopped starts nothing more.
  for (let found = [root]; found.length > 0; found = family(root).filter((pid) => !stopped.has(pid))) {
    for (const pid of found) {
      send('SIGSTOP', pid);
      stopped.add(pid);
    }
  }
  for (const pid of stopped) send('SIGKILL', pid);
};

interface Ending {
  readonly code: number | null;
  readonly output: string;
  readonly name: string;
  /** The steps that began, with the time of each in milliseconds. */
  readonly steps: readonly { readonly step: string; readonly at: number }[];
}

/**
 * Runs `npm run verify`.
 * @param kill the number of a step, how many milliseconds after its beginning, and the signal; without one, all dies at once
 */
const runVerify = async (
  { cloud, signal }: Rehearsal,
  args: readonly string[],
  kill?: { readonly at: number; readonly after: number; readonly by?: NodeJS.Signals },
): Promise<Ending> => {
  const child = spawn(process.execPath, ['bin/run.cjs', 'test/verify/verify.ts', '--region', region, ...args], {
    cwd: projectDir,
    env: cloud.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  const stop = () => killAll(pid);
  signal.addEventListener('abort', stop);
  const closed = once(child, 'close');
  const lines: string[] = [];
  const steps: Ending['steps'][number][] = [];
  let killing: Promise<void> | undefined;
  child.stderr.setEncoding('utf8').on('data', (text: string) => console.log(text.trimEnd()));
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    console.log(`  | ${line}`);
    const [, step] = /^=== (.*)/.exec(line) ?? [];
    if (step === undefined || step === 'Steps' || step === 'Not shown') continue;
    steps.push({ step, at: performance.now() });
    if (steps.length === (kill?.at ?? -1) + 1)
      killing = setTimeout(kill?.after).then(() => (kill?.by ? send(kill.by, pid) : stop()));
  }
  await killing;
  const [code]: (number | null)[] = await closed;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  const output = lines.join('\n');
  return { code: code ?? null, output, name: /^Name: +(live-[0-9a-f]{4})$/m.exec(output)?.[1] ?? '', steps };
};

const expectSuccess = ({ code }: Ending): void => {
  if (code !== 0) throw new CommandError(`The run ended with ${code}: see above`);
};

/** The emulator takes every address for verified. */
const sender = 'contact@example.com';

/** How long `--brief` takes, in milliseconds, for what it runs in place of the whole suite: at least. */
const shortSuite = 2_000;

/** Verifies the service against the emulator, then kills a run at each step: `--clean` must leave nothing behind. */
export const rehearseVerification = async (cast: Rehearsal): Promise<void> => {
  const { emulator, steps } = cast;
  const clients = clientsOf({ endpoint: emulator.endpoint, region, credentials });
  // The account's own role, as after another deployment.
  const value = 'arn:aws:iam::000000000000:role/of-another-stack';
  await clients.apiGateway.send(
    new UpdateAccountCommand({ patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', value }] }),
  );
  await clients.ses.send(new CreateEmailIdentityCommand({ EmailIdentity: sender }));
  const before = await inventory(clients);

  const whole = await steps.run('npm run verify', async () => {
    const ending = await runVerify(cast, ['--yes', '--from', sender]);
    expectSuccess(ending);
    assert.deepEqual(await inventory(clients), before);
    const [, report = ''] = /^Report: (.*)$/m.exec(ending.output) ?? [];
    assert.doesNotMatch(await readFile(report, 'utf8'), /000000000000|127\.0\.0\.1|crcs_|whsec_|@example/);
    steps.say('It leaves nothing behind, and its report names nobody');
    return ending;
  });
  assert.ok(whole.steps.length > 10, 'There are no steps to kill at');

  await steps.run('Stop it by SIGTERM: it removes all by itself', async () => {
    const stopped = await runVerify(cast, ['--yes', '--brief'], { at: 2, after: 0, by: 'SIGTERM' });
    assert.equal(stopped.code, 1);
    assert.deepEqual(await inventory(clients), before);
  });

  for (const [at, { step, at: began }] of whole.steps.entries()) {
    const ended = whole.steps[at + 1]?.at ?? began;
    const took = step === 'Acceptance suite' ? shortSuite : ended - began;
    // In the middle of what takes long, and at once otherwise: it must not end before.
    const after = took < 2_000 ? 0 : took / 2;
    await steps.run(`Kill it, then --clean: ${step}`, async () => {
      const killed = await runVerify(cast, ['--yes', '--brief'], { at, after });
      if (killed.code !== null) steps.say('It ended before it could be killed');
      const made = (await inventory(clients)).stacks ?? [];
      expectSuccess(await runVerify(cast, ['--clean', killed.name]));
      assert.deepEqual(await inventory(clients), before);
      steps.say(`Stacks that were there: ${made.length - (before.stacks?.length ?? 0)}. Nothing is left`);
    });
  }
};
