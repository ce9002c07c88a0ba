import { defineConfig } from 'vitest/config';
import { isolateTests } from '../support/isolation.ts';

isolateTests();

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: 'service.setup.ts',
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
