// Starts bin/local.ts, as `npm start` does. What Node has compiled once it keeps with the packages, for whoever owns them, here
// and in the threads of this process: reading TypeScript and packages takes most of what a start takes.
require('./require-node.cjs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

process.env.NODE_COMPILE_CACHE ??= join(__dirname, '..', 'node_modules', '.cache', 'node');
enableCompileCache();
import('./local.ts');
