// Starts bin/local.ts: `npm start`. The compile cache, which serves the threads of this process, too, saves most of the time of
// a start. It is in node_modules, where only the owner of the packages can write.
require('./require-node.cjs');
require('./read-env.cjs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

process.env.NODE_COMPILE_CACHE ??= join(__dirname, '..', 'node_modules', '.cache', 'node');
enableCompileCache();
import('./local.ts');
