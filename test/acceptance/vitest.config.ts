import { defineConfig } from 'vitest/config';
import { acceptanceOptions } from './options.ts';

/** The suite against the service that BASE_URL and STAFF_TOKEN name. */
export default defineConfig({
  test: {
    ...acceptanceOptions,
    name: 'acceptance',
    include: ['test/acceptance/*.test.ts'],
    globalSetup: 'test/acceptance/external-target.setup.ts',
    reporters: ['default', './test/acceptance/skipped-reporter.ts', './test/acceptance/documented-reporter.ts'],
  },
});
