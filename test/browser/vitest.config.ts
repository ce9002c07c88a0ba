import { defineConfig } from 'vitest/config';
import { isolateTests } from '../support/isolation.ts';

isolateTests();

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: 'services.ts',
    // One browser at a time: two would only wait for each other.
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
