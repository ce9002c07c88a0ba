import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the files of tests, which is removed after the run. */
    readonly scratch: string;
  }
}

export default async (project: TestProject) => {
  const folder = await mkdtemp(join(tmpdir(), 'contact-service-tests-'));
  project.provide('scratch', folder);
  return () => rm(folder, { recursive: true, force: true });
};
