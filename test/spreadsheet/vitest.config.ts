import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    // LibreOffice takes a while to start.
    testTimeout: 120_000,
  },
});
