import { test } from 'vitest';

/** For what Windows has not: signals that a process can hear, and modes of files. */
export const testOnPosix = test.skipIf(process.platform === 'win32');
