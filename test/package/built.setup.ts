import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildPackage } from '../../lib/package/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built package. */
    readonly archive: string;
  }
}

export default async ({ provide }: TestProject): Promise<void> => {
  provide('archive', await buildPackage(join(import.meta.dirname, '..', '..', '.cache', 'package')));
};
