#!/usr/bin/env node
// The staff command as a program: `npx crcs --help`, in a clone (docs/decisions.md).
require('./require-node.cjs');
// What Node has compiled once it keeps with the packages, for whoever owns them: `--help` then answers in half the time.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '..', 'node_modules', '.cache', 'node'));
import('./staff.ts');
