import { defineConfig } from 'vitest/config';
import { isolate } from '../../lib/local/host/isolation.ts';

// Before the tests' own processes start: these inherit what is left.
isolate(process.env);

/** The tests that run functions/ in their own process, where a mutant can be switched on. */
export default defineConfig({
  test: {
    include: ['test/functions/**/*.test.ts'],
    globalSetup: 'test/support/dynamodb-server.ts',
    setupFiles: 'test/support/environment.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
