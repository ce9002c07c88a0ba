#!/usr/bin/env node
// The staff command as a program, where the service is a package: `npx crcs --help`.
// What Node has compiled once it keeps with the packages, for whoever owns them: `--help` then answers in half the time.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '..', '..', '.cache', 'node'));
import('../lib/package/staff.js');
