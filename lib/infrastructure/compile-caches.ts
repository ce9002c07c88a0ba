import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Puts into each bundle what V8 makes of its code (docs/decisions/0042), for functions on processors of this machine's kind:
 * for others it would be weight without use.
 * @param bundles the folder that `bundleFunctions` filled
 */
export const addCompileCaches = async (bundles: string): Promise<void> => {
  const script = join(import.meta.dirname, 'compile-cache-process.ts');
  // With Lambda's own flag, which V8 compares: what was made without it is refused. Nothing of the caller's variables may
  // change what is made.
  await promisify(execFile)(process.execPath, ['--expose-gc', script, bundles], { env: {} });
};
