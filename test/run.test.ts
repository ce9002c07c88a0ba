import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { outcome } from './staff/process.ts';
import { testOnPosix } from './support/posix.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const ownNode = `node-${platform}`;

/** A project with one package of each kind, on the Node that runs the tests unless changed. */
const manifest = {
  dependencies: { valibot: '1.0.0' },
  devDependencies: { vitest: '5.0.0' },
  optionalDependencies: { [ownNode]: process.versions.node },
};

/** Makes the Node of the tests too old. */
const newerNode = { optionalDependencies: { [ownNode]: '99.0.0' } };

interface Project {
  readonly name?: string;
  /** Replaces parts of the manifest. */
  readonly changes?: object;
  readonly installed?: readonly string[];
  /** What the installed Node runs instead of what it is told. */
  readonly ownScript?: string;
}

/** A project of its own that has run.cjs. @returns its folder */
const makeProject = ({
  name = 'a project',
  changes = {},
  installed = ['valibot', 'vitest', ownNode],
  ownScript = '',
}: Project): string => {
  const root = join(temporaryFolder(), name);
  const write = (file: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { mode });
  };
  write('package.json', JSON.stringify({ ...manifest, ...changes }));
  write('bin/run.cjs', readFileSync('bin/run.cjs', 'utf8'));
  for (const one of installed) write(`node_modules/${one}/package.json`, JSON.stringify({ bin: { node: 'node' } }));
  if (installed.includes(ownNode)) {
    write(`node_modules/${ownNode}/script.mjs`, ownScript);
    const script = `#!/bin/sh\nexec "${process.execPath}" "$(dirname "$0")/script.mjs" "$@"\n`;
    write(`node_modules/${ownNode}/node`, script, 0o755);
  }
  return root;
};

/** Runs a command of a project, from another folder. */
const start = (root: string, ...args: readonly string[]) =>
  spawn(process.execPath, ['--no-warnings', join(root, 'bin', 'run.cjs'), ...args], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, as on a terminal.
    detached: true,
  });

/** Runs a file of a project that has one. */
const runFile = async (project: Project, text: string, ...args: readonly string[]) => {
  const root = makeProject(project);
  writeFileSync(join(root, 'script.mts'), text);
  const { stderr, ...others } = await outcome(start(root, 'script.mts', ...args));
  return { ...others, stderr: stderr.replace(dirname(root), '') };
};

const itRuns = "console.log('It runs');\n";

const stopped = (line: string) => ({ code: 1, stdout: '', stderr: `${line}\n` });

test('runs a file of the project with its arguments, and ends with its exit code', async () => {
  const script = 'const code: number = 3;\nconsole.log(process.argv.slice(2).join("|"));\nprocess.exit(code);\n';
  expect(await runFile({}, script, '--rounds', 'a b', '"')).toEqual({
    code: 3,
    stdout: '--rounds|a b|"\n',
    stderr: '',
  });
});

test('runs a tool by its name', async () => {
  const root = makeProject({});
  writeFileSync(join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'console.log(process.argv.slice(2).join());\n');
  expect(await outcome(start(root, 'vitest', 'run'))).toEqual({ code: 0, stdout: 'run\n', stderr: '' });
});

test('a script whose promise never settles fails', async () => {
  expect(await runFile({}, 'await new Promise(() => {});\n')).toMatchObject({ code: 13 });
});

test.each([
  { left: 'for development', installed: ['valibot', ownNode], missing: '1 of 3 packages are missing (vitest, …)' },
  { left: 'optional', installed: ['valibot', 'vitest'], missing: `1 of 3 packages are missing (${ownNode}, …)` },
  { left: 'needed', installed: [], missing: '3 of 3 packages are missing (valibot, …)' },
])('prints one line with the command to run if packages that are $left are missing', async ({ installed, missing }) => {
  expect(await runFile({ installed }, itRuns)).toEqual(
    stopped(
      `${missing}. Run \`npm ci --include=dev --include=optional\`, which overrides NODE_ENV and npm's settings.`,
    ),
  );
});

test.each(['bin/local.ts', 'bin/staff.ts'])('%s needs no packages for development', async (file) => {
  const root = makeProject({ installed: ['valibot', ownNode] });
  writeFileSync(join(root, file), itRuns);
  expect(await outcome(start(root, file))).toEqual({ code: 0, stdout: 'It runs\n', stderr: '' });
});

testOnPosix('goes on with the installed Node if another one is too old', async () => {
  const ownScript = 'console.log(process.argv.slice(2).join("|"));\nprocess.exit(3);\n';
  const root = makeProject({ changes: newerNode, ownScript });
  expect(await outcome(start(root, 'script.mts', 'a b', '"'))).toEqual({
    code: 3,
    stdout: `--no-warnings|${join(root, 'bin', 'run.cjs')}|script.mts|a b|"\n`,
    stderr: '',
  });
});

testOnPosix.each<[string, (child: ChildProcess) => void]>([
  ['SIGTERM, which it gets alone,', ({ pid = 0 }) => process.kill(pid, 'SIGTERM')],
  ['Ctrl-C, which reaches both,', ({ pid = 0 }) => process.kill(-pid, 'SIGINT')],
])('%s ends the installed Node, for which it waits', async (_, end) => {
  const ownScript = `
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(4));
    setTimeout(() => {}, 20_000);
    console.log('ready');
  `;
  const child = start(makeProject({ changes: newerNode, ownScript }), 'script.mts');
  child.stdout.once('data', () => end(child));
  expect(await outcome(child)).toMatchObject({ code: 4, stderr: '' });
});

test('refuses an older Node in one line if npm has none for the platform', async () => {
  expect(await runFile({ changes: { optionalDependencies: { 'node-sunos-x64': '99.0.0' } } }, itRuns)).toEqual(
    stopped(
      `Node 99 or later is required, but this is ${process.version}: install one, because npm has none for ${platform}.`,
    ),
  );
});

// Windows has none of these in a name, but % and #.
const unreadable = process.platform === 'win32' ? ['#', '%'] : ['#', '?', '*', ':', '%', '\\'];
test.each(unreadable)('refuses a path with %s in one line', async (character) => {
  const name = `a${character}b`;
  expect(await runFile({ name }, itRuns)).toEqual(
    stopped(`The tools cannot use a path that contains ${character}: move the project ${join('/', name)}.`),
  );
});
