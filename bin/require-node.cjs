// Runs first in every npm script. They run on the Node of Lambda or a newer one (docs/decisions.md), which npm installs with
// the other packages. If npm's settings or NODE_ENV left packages out, this says so before anything else fails.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join, parse, sep } = require('node:path');
const { dependencies, devDependencies, optionalDependencies } = require('../package.json');

const project = join(__dirname, '..');
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

const complaint = () => {
  if (unreadable) return `The tools cannot use a path that contains ${unreadable}: move the project ${project}.`;
  const packages = Object.keys({ ...dependencies, ...devDependencies });
  if (ownNode) packages.push(ownNode);
  const missing = packages.filter((name) => !existsSync(join(project, 'node_modules', name)));
  if (missing.length > 0) {
    return `${missing.length} of ${packages.length} packages are missing (${missing[0]}, …). Run \`npm ci --include=dev --include=optional\`, which overrides NODE_ENV and npm's settings.`;
  }
  if (isTooOld && !ownNode) {
    return `Node ${oldest} or later is required, but this is ${process.version}: install one, because npm has none for ${platform}.`;
  }
};

const said = complaint();
if (said) {
  console.error(said);
  process.exit(1);
}

// npm 10 installs the package of Node, but puts no `node` into node_modules/.bin.
if (isTooOld) {
  const folder = join(project, 'node_modules', ownNode);
  const node = join(folder, require(join(folder, 'package.json')).bin.node);
  process.on('SIGINT', () => {}); // Ctrl-C reaches both.
  const { status } = spawnSync(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
