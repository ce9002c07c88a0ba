import { defineConfig } from 'vitest/config';
import { isolate } from '../../lib/local/host/isolation.ts';

// Before the tests' own processes start: these inherit what is left.
isolate(process.env);

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: 'services.ts',
    // One browser at a time: two would only wait for each other.
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
