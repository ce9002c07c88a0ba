#!/usr/bin/env node
// The staff command: `npx --no-install crcs --help` runs `node bin/run.cjs bin/staff.ts --help`.
process.argv.splice(2, 0, 'bin/staff.ts');
require('./run.cjs');
