#!/usr/bin/env node
// The staff command as a program, where the service is a package: `npx crcs --help`.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { engines } = require('../package.json');

const least = engines.node.replace('>=', '');
if (least.localeCompare(process.versions.node, 'en', { numeric: true }) > 0) {
  console.error(`This needs Node ${least} or later, but it runs on ${process.version}.`);
  process.exit(1);
}
// What Node has compiled once it keeps with the packages, for whoever owns them: `--help` then answers in half the time.
enableCompileCache(join(__dirname, '..', '..', '.cache', 'node'));
import('../lib/package/staff.js');
