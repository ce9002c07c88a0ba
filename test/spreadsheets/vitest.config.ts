import { defineConfig } from 'vitest/config';
import { isolate } from '../../lib/local/host/isolation.ts';

// Before the tests' own processes start: these inherit what is left.
isolate(process.env);

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 300_000,
  },
});
