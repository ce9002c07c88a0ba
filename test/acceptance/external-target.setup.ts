import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { readSettings } from './settings.ts';
import { greet, hasTriage, sweep } from './sweep.ts';

/** Points the suite at the service that the environment variables name, and deletes the suite's contact requests at the end. */
export default async (project: TestProject) => {
  const settings = readSettings(process.env);
  const run = randomUUID();
  const lacks = (await hasTriage(settings)) ? settings.lacks : [...settings.lacks, 'triage' as const];
  // The Date header has no milliseconds, and the target's clock can be a little off.
  const since = new Date((await greet(settings)).getTime() - 60_000);
  project.provide('target', { ...settings, lacks, run });
  return async () => {
    // The index can lag behind.
    while ((await sweep(settings, run, since)) > 0);
  };
};
