import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { readSettings } from './settings.ts';
import { greet, sweep } from './sweep.ts';

/** Points the suite at the service that the environment variables name, and deletes in the end what it left there. */
export default async (project: TestProject) => {
  const settings = readSettings(process.env);
  const run = randomUUID();
  // A clock that is a little off, and a Date header without milliseconds, must not hide the first contact requests.
  const since = new Date((await greet(settings)).getTime() - 60_000);
  project.provide('target', { ...settings, run });
  return async () => {
    // Until the index, which may lag behind, shows none.
    while ((await sweep(settings, run, since)) > 0);
  };
};
