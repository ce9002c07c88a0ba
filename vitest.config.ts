import { defineConfig } from 'vitest/config';
import { acceptanceOptions } from './test/acceptance/options.ts';

export default defineConfig({
  test: {
    reporters: ['default', './test/acceptance/skipped-reporter.ts'],
    projects: [
      {
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          // The browser's tests need a browser, which npm does not bring: test/browser/vitest.config.ts.
          exclude: ['test/browser/**', 'test/acceptance/**'],
          globalSetup: 'test/support/dynamodb-server.ts',
          setupFiles: 'test/support/environment.ts',
          // Far more than any test needs: a busy machine is no reason to fail.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          ...acceptanceOptions,
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts'],
          globalSetup: 'test/acceptance/local-host.setup.ts',
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['functions/**/*.ts', 'lib/**/*.ts'],
    },
  },
});
