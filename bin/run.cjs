// Starts a file of the project, or a tool, with the right Node: `node bin/run.cjs test/faults/faults.ts --rounds 20`,
// `node bin/run.cjs vitest run`. The right one is the Node of Lambda or a newer one (docs/decisions.md), which npm installs with the
// other packages. If npm's settings or NODE_ENV left packages out, this says so before anything else fails.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { enableCompileCache, runMain } = require('node:module');
const { join, parse, resolve, sep } = require('node:path');
const { dependencies, devDependencies, optionalDependencies } = require('../package.json');

const project = join(__dirname, '..');
const packages = join(project, 'node_modules');

const tools = {
  biome: join(packages, '@biomejs', 'biome', 'bin', 'biome'),
  tsc: join(packages, 'typescript', 'bin', 'tsc'),
  vitest: join(packages, 'vitest', 'vitest.mjs'),
};

// npm cannot put a folder with : on the path; esbuild takes * for a pattern; Vite reads #, ? and % as parts of a URL; Node
// takes no \\ in the name of a module.
const [unreadable] =
  project
    .slice(parse(project).root.length)
    .replaceAll(sep, '/')
    .match(/[#?*:%\\]/) ?? [];

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const ownNode = Object.keys(optionalDependencies).find((name) => name.endsWith(`-${platform}`));
const majorOf = (version) => Number(version.split('.')[0]);
const oldest = Math.min(...Object.values(optionalDependencies).map(majorOf));
const isTooOld = majorOf(process.versions.node) < oldest;

/** What `npm ci --omit=dev` is enough for, as on a server. */
const forServers = ['bin/local.ts', 'bin/staff.ts'];

const complaint = () => {
  if (unreadable) return `The tools cannot use a path that contains ${unreadable}: move the project ${project}.`;
  const isForServer = forServers.includes(process.argv[2]);
  const needed = Object.keys(isForServer ? dependencies : { ...dependencies, ...devDependencies });
  if (ownNode) needed.push(ownNode);
  const missing = needed.filter((name) => !existsSync(join(packages, name)));
  if (missing.length > 0) {
    const options = isForServer ? '--include=optional' : '--include=dev --include=optional';
    return `${missing.length} of ${needed.length} packages are missing (${missing[0]}, …). Run \`npm ci ${options}\`, which overrides NODE_ENV and npm's settings.`;
  }
  if (isTooOld && !ownNode) {
    return `Node ${oldest} or later is required, but this is ${process.version}: install one, because npm has none for ${platform}.`;
  }
};

/** Runs this again with the installed Node: npm 10 installs its package, but puts no `node` into node_modules/.bin. */
const runWithOwnNode = () => {
  const folder = join(packages, ownNode);
  const node = join(folder, require(join(folder, 'package.json')).bin.node);
  const args = [...process.execArgv, __filename, ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit' });
  // A terminal sends these to both processes, other senders send SIGTERM to this one.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
};

const runHere = () => {
  // Node keeps compiled code, also that of the processes and threads that this one starts, in a folder where only the owner of
  // the packages can write. That saves half the time of `crcs --help`, and most of the time of `npm start`.
  process.env.NODE_COMPILE_CACHE ??= join(packages, '.cache', 'node');
  enableCompileCache();
  const [, , name] = process.argv;
  process.argv.splice(1, 2, tools[name] ?? resolve(project, name));
  // Not import(), after which a promise that never settles would end the process with 0.
  runMain();
};

const said = complaint();
if (said) {
  console.error(said);
  process.exitCode = 1;
} else if (isTooOld) {
  runWithOwnNode();
} else {
  runHere();
}
