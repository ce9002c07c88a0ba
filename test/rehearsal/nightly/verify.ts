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
import { ListConfigurationSetsCommand, ListEmailIdentitiesCommand } from '@aws-sdk/client-sesv2';
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

/** A process and all that it started, also what leads a group of its own: the death of a machine. */
const killAll = (root: number): void => {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const descendants = (pid: number): number[] => [
    pid,
    ...processes.flatMap(([child = 0, parent]) => (parent === pid ? descendants(child) : [])),
  ];
  for (const pid of descendants(root)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
};

interface Ending {
  readonly code: number | null;
  readonly output: string;
  readonly name: string;
  /** The steps that began, with the time of each in milliseconds. */
  readonly steps: readonly { readonly step: string; readonly at: number }[];
}

/** Runs `npm run verify`. @param killAt a step, and how long after its beginning to kill the run */
const runVerify = async (
  { cloud, signal }: Rehearsal,
  args: readonly string[],
  killAt?: { readonly step: string; readonly after: number },
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
    if (step === killAt?.step) killing = setTimeout(killAt.after).then(stop);
  }
  await killing;
  const [code]: (number | null)[] = await closed;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  const output = lines.join('\n');
  return { code: code ?? null, output, name: /^Name: +(live-[0-9a-f]{4})$/m.exec(output)?.[1] ?? '', steps };
};

const ended = ({ code }: Ending): void => {
  if (code !== 0) throw new CommandError(`The run ended with ${code}: see above`);
};

/** Verifies the service against the emulator, then kills a run at each step: `--clean` must leave nothing behind. */
export const rehearseVerification = async (cast: Rehearsal): Promise<void> => {
  const { emulator, steps } = cast;
  const clients = clientsOf({ endpoint: emulator.endpoint, region, credentials });
  // The account's own role, as after another deployment.
  const value = 'arn:aws:iam::000000000000:role/of-another-stack';
  await clients.apiGateway.send(
    new UpdateAccountCommand({ patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', value }] }),
  );
  const before = await inventory(clients);

  const whole = await steps.run('npm run verify', async () => {
    const ending = await runVerify(cast, ['--yes']);
    ended(ending);
    assert.deepEqual(await inventory(clients), before);
    const [, report = ''] = /^Report: (.*)$/m.exec(ending.output) ?? [];
    assert.doesNotMatch(await readFile(report, 'utf8'), /000000000000|127\.0\.0\.1|crcs_|whsec_|@example/);
    steps.say('It leaves nothing behind, and its report names nobody');
    return ending;
  });
  assert.ok(whole.steps.length > 10, 'There are no steps to kill at');

  const brief = await steps.run('npm run verify -- --brief', async () => {
    const ending = await runVerify(cast, ['--yes', '--brief']);
    ended(ending);
    assert.deepEqual(await inventory(clients), before);
    return ending;
  });
  for (const [at, { step, at: began }] of brief.steps.entries()) {
    await steps.run(`Kill it: ${step}`, async () => {
      const next = brief.steps[at + 1]?.at ?? began;
      const killed = await runVerify(cast, ['--yes', '--brief'], { step, after: (next - began) / 2 });
      assert.equal(killed.code, null, `It was not killed: ${killed.output}`);
      const there = await inventory(clients);
      ended(await runVerify(cast, ['--clean', killed.name]));
      assert.deepEqual(await inventory(clients), before);
      steps.say(
        `Of ${(there.stacks?.length ?? 0) - (before.stacks?.length ?? 0)} stacks, --clean leaves nothing behind`,
      );
    });
  }
};
