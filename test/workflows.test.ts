import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { runCommand } from './staff/staff.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.github', 'workflows');

const permissions = v.record(v.string(), v.picklist(['read', 'write', 'none']));

const step = v.union([
  v.strictObject({
    name: v.optional(v.string()),
    uses: v.string(),
    with: v.optional(v.record(v.string(), v.union([v.string(), v.boolean(), v.number()]))),
  }),
  v.strictObject({
    name: v.optional(v.string()),
    if: v.optional(v.string()),
    env: v.optional(v.record(v.string(), v.string())),
    run: v.string(),
  }),
]);

/** As far as it is used here: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax */
const workflow = v.strictObject({
  name: v.string(),
  on: v.record(v.string(), v.unknown()),
  permissions,
  env: v.optional(v.record(v.string(), v.string())),
  concurrency: v.optional(v.object({ group: v.string() })),
  jobs: v.record(
    v.string(),
    v.strictObject({
      if: v.optional(v.string()),
      strategy: v.optional(v.looseObject({ matrix: v.record(v.string(), v.array(v.string())) })),
      environment: v.optional(v.string()),
      concurrency: v.optional(v.object({ group: v.string(), 'cancel-in-progress': v.boolean() })),
      'runs-on': v.string(),
      'timeout-minutes': v.number(),
      permissions: v.optional(permissions),
      steps: v.array(step),
    }),
  ),
});

const workflowIn = (file: string) => v.parse(workflow, parse(readFileSync(join(folder, file), 'utf8')));

const stepsOf = (file: string) => Object.values(workflowIn(file).jobs).flatMap(({ steps }) => steps);

const files = readdirSync(folder);

/** Those that others copy: GitHub runs what ends in .yml or .yaml. */
const examples = files.filter((file) => !/\.ya?ml$/.test(file));

test('what is to be copied is run by nobody here, nor in a fork', () => {
  expect(examples.toSorted()).toEqual(['deploy.yml.example', 'doctor.yml.example']);
});

describe.each(files)('%s', (file) => {
  test('names each action by a commit, which nobody can move', () => {
    const actions = stepsOf(file).flatMap((each) => ('uses' in each ? each.uses : []));
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  test('puts nothing into a script that a stranger may have written', () => {
    for (const each of stepsOf(file)) {
      // A matrix is the workflow's own.
      if ('run' in each) expect(each.run).not.toMatch(/\$\{\{(?! matrix\.\w+ \}\})/);
    }
  });
});

/** The commands of npm in a workflow, word by word. */
const commandsIn = (file: string, command: string) =>
  stepsOf(file)
    .flatMap((each) => ('run' in each ? each.run.split('\n') : []))
    .filter((line) => line.startsWith(`${command} `))
    .map((line) =>
      line
        .replace(/ > .*$/, '')
        .replaceAll(/\$\{\{ [^}]* \}\}/g, 'prod')
        .split(' ')
        .slice(command.split(' ').length),
    );

test.each(files)('the scripts of npm that %s runs are there', (file) => {
  for (const [verb = '', script = ''] of commandsIn(file, 'npm')) {
    expect(verb === 'run' ? Object.keys(packageJson.scripts) : ['ci', 'test']).toContain(
      verb === 'run' ? script : verb,
    );
  }
});

test.each(examples)('the staff commands that %s runs are there', async (file) => {
  for (const words of commandsIn(file, 'npx crcs')) {
    expect(await runCommand([...words, '--help'])).toMatchObject({ code: 0, stderr: '' });
  }
});

test('the CDK has each command of deploy.yml.example, with its options', async () => {
  const commands = commandsIn('deploy.yml.example', 'npx cdk');
  expect(commands.map(([verb]) => verb)).toEqual(['diff', 'deploy']);
  for (const [verb = '', stack, ...options] of commands) {
    const cdk = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
    const { stdout } = await promisify(execFile)(process.execPath, [cdk, verb, '--help']);
    expect(stack).toBe('ContactService-prod');
    for (const option of options) {
      const [name = '', value] = option.split('=');
      if (!name.startsWith('--')) continue;
      const [, said = ''] = new RegExp(`^ +${name}\\b(.*?)\\n  -`, 'ms').exec(stdout) ?? [];
      expect(said, option).not.toBe('');
      if (value) expect(said).toContain(`"${value}"`);
    }
  }
});

/** What a workflow gets of GitHub. */
const expressionOf = (name: string) => `$\{{ ${name} }}`;

describe('deploy.yml.example', () => {
  const { on, jobs, permissions: ofAll } = workflowIn('deploy.yml.example');
  const { diff, deploy } = jobs;

  test('gives code that nobody has reviewed the role that reads templates, and the right to comment', () => {
    expect(Object.keys(on).toSorted()).toEqual(['pull_request', 'push', 'workflow_dispatch']);
    expect(ofAll).toEqual({});
    expect(diff?.if).toContain("github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name");
    expect(diff?.permissions).toEqual({ contents: 'read', 'id-token': 'write', 'pull-requests': 'write' });
    // An environment of GitHub is what the role trusts that deploys.
    expect(diff?.environment).toBeUndefined();
    expect(JSON.stringify(diff)).not.toContain('DEPLOY_ROLE');
  });

  test('comments on a pull request without letting it speak to who approves', async ({ skip }) => {
    const missing = ['bash', 'head', 'sed', 'tr'].find((tool) => spawnSync(tool, ['--version']).error !== undefined);
    skip(missing !== undefined, `this machine lacks ${missing}`);
    const [comment] = diff?.steps.flatMap((each) => ('run' in each && each.name === 'Comment' ? each.run : [])) ?? [];
    const place = await mkdtemp(join(tmpdir(), 'comment-'));
    onTestFinished(() => rm(place, { recursive: true }));
    const ends = '```\n**Nothing changes.**\r```\r\n~~~\n</code></pre>\n';
    await writeFile(join(place, 'diff.txt'), ends);
    await writeFile(join(place, 'gh'), '#!/bin/sh\necho "$@" >> asked.txt\n', { mode: 0o755 });
    await promisify(execFile)('bash', ['-e', '-c', comment ?? ''], {
      cwd: place,
      env: {
        PATH: `${place}:${process.env['PATH']}`,
        ENVIRONMENT: 'dev',
        GITHUB_REPOSITORY: 'acme/x',
        PULL_REQUEST: '1',
      },
    });
    const [title, empty, ...lines] = (await readFile(join(place, 'comment.md'), 'utf8')).split('\n').slice(0, -1);
    expect([title, empty]).toEqual(['### cdk diff: dev', '']);
    expect(lines.filter((line) => !line.startsWith('    '))).toEqual([]);
    // One that somebody else has begun with the same words is not written over: they could change it then.
    expect(await readFile(join(place, 'asked.txt'), 'utf8')).toContain('.user.login == "github-actions[bot]"');
  });

  test('deploys what was merged, an environment after the other, each once at a time', () => {
    expect(deploy?.if).toBe("github.event_name != 'pull_request' && github.ref == 'refs/heads/main'");
    expect(deploy?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(deploy?.strategy).toEqual({ 'max-parallel': 1, matrix: { environment: ['dev', 'staging', 'prod'] } });
    expect(deploy?.environment).toBe(expressionOf('matrix.environment'));
    expect(deploy?.concurrency).toEqual({
      group: `deploy-${expressionOf('matrix.environment')}`,
      'cancel-in-progress': false,
    });
  });

  test('takes the settings from the repository that it stands in', () => {
    for (const { steps } of Object.values(jobs)) {
      const checkedOut = steps.flatMap((each) =>
        'uses' in each && each.uses.startsWith('actions/checkout') ? each : [],
      );
      expect(checkedOut.map((each) => each.with)).toEqual([
        { repository: expressionOf('env.SERVICE'), ref: expressionOf('env.VERSION'), 'persist-credentials': false },
        { path: 'settings', 'persist-credentials': false },
      ]);
    }
  });
});

test('doctor.yml.example brings the service along, since the repository that it stands in may hold settings only', () => {
  const [checkout] = stepsOf('doctor.yml.example');
  expect(checkout).toMatchObject({
    with: { repository: expressionOf('env.SERVICE'), ref: expressionOf('env.VERSION') },
  });
});
