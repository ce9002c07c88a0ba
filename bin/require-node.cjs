// Runs first in every npm script. It checks that all packages are installed, and that the script runs on Lambda's version of
// Node, which npm installs as a package (docs/decisions.md).
const { existsSync } = require('node:fs');
const { join, parse, sep } = require('node:path');
const { dependencies, devDependencies, optionalDependencies } = require('../package.json');

const project = join(__dirname, '..');
// npm cannot put a folder with : on the path, esbuild takes * for a pattern, Vite reads #, ? and % as parts of a URL, and
// Node accepts no \\ in the name of a module.
const [unreadable] =
  project
    .slice(parse(project).root.length)
    .replaceAll(sep, '/')
    .match(/[#?*:%\\]/) ?? [];

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const isPinned = `node-${platform}` in optionalDependencies;
const majorOf = (version) => version.split('.')[0];
const wanted = majorOf(Object.values(optionalDependencies)[0]);

const complaint = () => {
  if (unreadable) return `The tools cannot read a path with ${unreadable}: move ${project} to another.`;
  const packages = Object.keys({ ...dependencies, ...devDependencies });
  if (isPinned) packages.push(`node-${platform}`);
  const missing = packages.filter((name) => !existsSync(join(project, 'node_modules', name)));
  if (missing.length > 0) {
    return `${missing.length} of ${packages.length} packages are missing (${missing[0]}, …): run \`npm ci --include=dev --include=optional\`, which installs them whatever NODE_ENV and npm's settings leave out.`;
  }
  if (majorOf(process.versions.node) !== wanted) {
    const how = isPinned ? 'run it through npm or npx' : `install it, since npm has none for ${platform}`;
    return `This needs Node ${wanted}, but it runs on ${process.version}: ${how}.`;
  }
};

const said = complaint();
if (said) {
  console.error(said);
  process.exit(1);
}
