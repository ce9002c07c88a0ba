import { expect, it, vi } from 'vitest';
import { checks } from '../../../lib/staff/doctor/checks.ts';
import { openingActions } from '../../../lib/staff/doctor/deployment.ts';
import { openDeployment } from '../../../lib/staff/doctor/open.ts';
import { runCommand } from '../staff.ts';
import { denied, startWorld } from './world.ts';

it('is one line when all is well', async () => {
  const world = await startWorld();
  expect(await world.run()).toEqual({ code: 0, stdout: `Nothing is wrong: ${checks.length} checks.\n`, stderr: '' });
});

it('prints for programs how many checks there were, and what they found', async () => {
  const world = await startWorld();
  const { code, stdout } = await world.run('--json');
  expect({ code, printed: JSON.parse(stdout) }).toEqual({
    code: 0,
    printed: { environment: 'dev', checks: checks.length, findings: [] },
  });
});

it('shows a note below the line that nothing is wrong', async () => {
  const world = await startWorld();
  world.stack.StackStatus = 'UPDATE_ROLLBACK_COMPLETE';
  expect(await world.run()).toEqual({
    code: 0,
    stdout: `Nothing is wrong: ${checks.length} checks.\nnote: The last deployment failed and was undone.\n  npx cdk deploy ContactService-dev says why.\n`,
    stderr: '',
  });
});

it('shows what is wrong before the notes, each with what mends it, and ends with 1', async () => {
  const world = await startWorld();
  world.stack.StackStatus = 'UPDATE_ROLLBACK_COMPLETE';
  world.queues.set('dead-letters', { visible: 1 });
  expect(await world.run()).toEqual({
    code: 1,
    stdout: [
      'wrong: 1 notification in the dead-letter queue.\n',
      '  docs/runbook.md#notification-dead-letters: npx crcs notifications test --env dev, then npx crcs notifications redrive --env dev\n',
      'note: The last deployment failed and was undone.\n',
      '  npx cdk deploy ContactService-dev says why.\n',
    ].join(''),
    stderr: '1 thing is wrong.\n',
  });
});

it('looks at a stack that no settings name', async () => {
  const world = await startWorld();
  world.queues.set('dead-letters', { visible: 1 });
  const { stdout } = await world.staff(['doctor', '--stack', 'ContactService-dev'], { openDeployment });
  expect(stdout).toContain('npx crcs notifications redrive --stack ContactService-dev');
});

it('tells on a terminal how many checks are made', async () => {
  const world = await startWorld();
  const { stderr } = await world.staff(['doctor', '--env', 'dev'], { openDeployment, terminals: ['stderr'] });
  expect(stderr).toContain(`${checks.length} checks made`);
});

it('asks AWS for nothing but what its checks name, and for all of that', async () => {
  const world = await startWorld();
  world.resources.push(['AWS::ApiGateway::DomainName', 'Domain01234567', '127.0.0.2']);
  await world.staff(['tokens', 'issue', '--name', 'script', '--allow', 'all'], { now: new Date('2020-01-01') });
  world.queues.set('Webhook5e6f7a8b', { hidden: 1 });
  await world.findings();
  const named = checks.flatMap(({ name, actions }) =>
    // What CloudFormation asks in the caller's name.
    name === 'drift'
      ? actions.filter((action) => /^cloudformation:(?!DetectStackResourceDrift|Batch)/.test(action))
      : actions,
  );
  const asked = world.asked.filter((action) => action !== 'sts:GetCallerIdentity');
  expect([...new Set(asked)].toSorted()).toEqual([...new Set([...openingActions, ...named])].toSorted());
});

const ofAws = checks.filter(({ actions }) => actions.length > 0);

// Without its stack the doctor finds nothing to look at: below.
it.each(ofAws.filter(({ name }) => name !== 'stack'))(
  'names the action where a check may not look: $name',
  async ({ name, actions }) => {
    const world = await startWorld();
    world.resources.push(['AWS::ApiGateway::DomainName', 'Domain01234567', '127.0.0.2']);
    for (const action of actions) world.answers[action] = () => denied(action);
    const found = await world.foundBy(name);
    expect(found).toEqual([
      expect.stringMatching(
        /^wrong: The check of .+ could not be made: these AWS credentials may not [a-z]+:\w+\. -> docs\/operation\.md, "Look after it", has/,
      ),
    ]);
    const [, action = ''] = /may not ([a-z]+:\w+)/.exec(found[0] ?? '') ?? [];
    expect(actions).toContain(action);
  },
);

it.each(ofAws.filter(({ name }) => name !== 'stack'))(
  'says which check AWS did not answer in time: $name',
  async ({ name, actions }) => {
    const world = await startWorld();
    world.resources.push(['AWS::ApiGateway::DomainName', 'Domain01234567', '127.0.0.2']);
    for (const action of actions) world.silent.add(action);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let found: string[] | undefined;
    const finding = world.foundBy(name).then((all) => {
      found = all;
    });
    while (!found) await vi.advanceTimersByTimeAsync(1000);
    await finding;
    expect(found).toEqual([expect.stringMatching(/^wrong: The check of .+ could not be made: .+ -> Try it again\.$/)]);
  },
);

it.each(openingActions)('is one line when it may not even ask what is there: %s', async (action) => {
  const world = await startWorld();
  world.answers[action] = () => denied(action);
  expect(await world.run()).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(`^These AWS credentials may not do this: .* not authorized to perform: ${action} .*\n$`),
    ),
  });
});

it('is one line when the environment is not deployed', async () => {
  const world = await startWorld();
  const { code, stdout, stderr } = await world.staff(['doctor', '--env', 'prod'], { openDeployment });
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 });
});

it('asks for a deployed environment', async () => {
  const { code, stdout, stderr } = await runCommand(['doctor'], { openDeployment });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The doctor looks at a deployed environment: name it, as in "npx crcs doctor --env prod"/);
});

it('stops by Ctrl-C', async () => {
  const world = await startWorld();
  const stop = new AbortController();
  world.answers['cloudformation:DescribeStackDriftDetectionStatus'] = () => {
    stop.abort();
    return { DetectionStatus: 'DETECTION_IN_PROGRESS' };
  };
  const outcome = await world.staff(['doctor', '--env', 'dev'], { openDeployment, signal: stop.signal });
  expect(outcome).toEqual({ code: 130, stdout: '', stderr: 'Stopped before the end.\n' });
});
