import { defineConfig } from 'vitest/config';
import { isolateTests } from '../support/isolation.ts';

isolateTests();

export default defineConfig({
  test: {
    include: ['test/examples/*.test.ts'],
    reporters: ['default', 'test/acceptance/skipped-reporter.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
