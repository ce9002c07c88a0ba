import { defineConfig } from 'vitest/config';
import { isolate } from '../../lib/local/host/isolation.ts';

// Before the tests' own processes start: these inherit what is left.
isolate(process.env);

export default defineConfig({
  test: {
    include: ['test/examples/*.test.ts'],
    reporters: ['default', 'test/acceptance/skipped-reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
