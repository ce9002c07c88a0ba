// Every npm script runs on the Node that Lambda runs (see docs/decisions/0005). It comes with `npm ci`, as the
// devDependency `node`; where install scripts are off it is missing, and the machine's own Node would run instead.
const { devDependencies } = require('../package.json');
const wanted = devDependencies.node.split('.')[0];

if (process.versions.node.split('.')[0] !== wanted) {
  console.error(
    `This needs Node ${wanted}, but it runs on ${process.version}: run it through npm (or npx) after \`npm ci --ignore-scripts=false\`, which installs Node ${wanted} into the project.`,
  );
  process.exit(1);
}
