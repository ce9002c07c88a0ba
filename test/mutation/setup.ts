import { globSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

// A mutant is caught as soon as a property fails. A smaller counterexample would take long, and show no more.
fc.configureGlobal({ endOnFailure: true });

// Stryker leaves out what runs when a module loads, unless a test loads the module: so all are loaded before. The entry files
// need variables.
const functions = join(import.meta.dirname, '..', '..', 'functions');
for (const file of globSync('*/**/*.ts', { cwd: functions })) await import(join(functions, file));
