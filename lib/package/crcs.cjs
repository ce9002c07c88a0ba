#!/usr/bin/env node
// The staff command of the package: `npx --no-install crcs --help`.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { engines } = require('../package.json');

const least = engines.node.replace('>=', '');
if (least.localeCompare(process.versions.node, 'en', { numeric: true }) > 0) {
  console.error(`Node ${least} or later is required, but this is ${process.version}.`);
  process.exit(1);
}
// With Node's compile cache in node_modules, `--help` prints in half the time.
enableCompileCache(join(__dirname, '..', '..', '.cache', 'node'));
import('../lib/package/staff.js');
