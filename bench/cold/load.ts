// Imports a module as bench/cold/child.ts does, and ends: bench/cold/instructions.ts counts what that executes.
import { createRequire } from 'node:module';

const [module = ''] = process.argv.slice(2);
await (module.endsWith('.mjs') ? import(module) : createRequire(import.meta.url)(module));
process.exit(0);
