import { test } from 'vitest';

/** For signals and file modes, which Windows does not have. */
export const testOnPosix = test.skipIf(process.platform === 'win32');
