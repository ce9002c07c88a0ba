import { defineConfig } from 'vitest/config';
import { isolate } from './lib/local/host/isolation.ts';
import { acceptanceOptions } from './test/acceptance/options.ts';

// Before the tests' own processes start: these inherit what is left.
isolate(process.env);

export default defineConfig({
  test: {
    // A worker for each core: tests wait for servers and files more than they compute.
    maxWorkers: '100%',
    reporters: ['default', './test/acceptance/skipped-reporter.ts'],
    projects: [
      {
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          // The browser's tests need a browser, which npm does not bring: test/browser/vitest.config.ts.
          exclude: ['test/browser/**', 'test/spreadsheet/**', 'test/acceptance/**'],
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
      // A little below what is reached. What runs in a process or a worker of its own is not counted: the service that
      // the acceptance suite asks, with its store and its functions.
      thresholds: {
        'functions/**': { statements: 94, branches: 86, functions: 92, lines: 94 },
        'lib/**': { statements: 92, branches: 88, functions: 94, lines: 92 },
      },
    },
  },
});
