import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['built.setup.ts', '../support/scratch.ts'],
    // npm fetches some hundred packages for each app, and compilers read all of the CDK.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
