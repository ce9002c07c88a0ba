#!/usr/bin/env node
// Starts bin/staff.ts: `npx --no-install crcs --help`.
require('./require-node.cjs');
require('./read-env.cjs');
// The compile cache halves the time of `--help`. It is in node_modules, where only the owner of the packages can write.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '..', 'node_modules', '.cache', 'node'));
import('./staff.ts');
