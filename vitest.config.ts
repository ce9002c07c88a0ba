import { defineConfig } from 'vitest/config';
import { acceptanceOptions } from './test/acceptance/options.ts';
import { isolateTests } from './test/support/isolation.ts';

isolateTests();

/** Shared with test/vitest.slow.config.ts. */
export const workers = {
  // A worker for each core: tests wait for servers and files more than they compute.
  maxWorkers: '100%',
  reporters: ['default', './test/acceptance/skipped-reporter.ts', './test/acceptance/documented-reporter.ts'],
};

/** Shared with test/vitest.slow.config.ts. */
export const testOptions = {
  globalSetup: ['test/support/dynamodb-server.ts', 'test/support/scratch.ts'],
  setupFiles: 'test/support/variables.ts',
  // A worker loads the CDK, the SDK and the code once, not for each file: most of the time went there.
  isolate: false,
  // Far more than any test needs: a busy machine is no reason to fail.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 100_000 } },
};

export default defineConfig({
  test: {
    ...workers,
    projects: [
      {
        test: {
          ...testOptions,
          name: 'tests',
          include: ['test/**/*.test.ts'],
          // Tests that need more than npm have their own commands, such as `npm run test:browser`.
          exclude: [
            'test/browser/**',
            'test/clients/**',
            'test/examples/**',
            'test/frameworks/**',
            'test/other-browsers/**',
            'test/package/**',
            'test/spreadsheets/**',
            'test/acceptance/**',
            'test/**/*.slow.test.ts',
          ],
        },
      },
      {
        test: {
          ...acceptanceOptions,
          name: 'acceptance',
          include: ['test/acceptance/*.test.ts'],
          globalSetup: 'test/acceptance/in-process.setup.ts',
          setupFiles: 'test/acceptance/in-process-service.ts',
        },
      },
    ],
  },
});
