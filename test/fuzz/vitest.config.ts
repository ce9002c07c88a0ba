import { defineConfig } from 'vitest/config';
import { acceptanceOptions } from '../acceptance/options.ts';
import { isolateTests } from '../support/isolation.ts';

isolateTests();

/** `npm run test:fuzz`: random requests to the service in the test's own process. */
export default defineConfig({
  test: {
    ...acceptanceOptions,
    include: ['test/fuzz/requests.fuzz.ts'],
    globalSetup: 'test/acceptance/in-process.setup.ts',
    setupFiles: 'test/acceptance/in-process-service.ts',
    // The run takes a minute. Shrinking a failure takes up to another.
    testTimeout: 300_000,
  },
});
