import { defineConfig } from 'vitest/config';
import { testOptions, workers } from '../vitest.config.ts';
import { acceptanceOptions } from './acceptance/options.ts';

/** The slow tests that need only npm: `*.slow.test.ts`, and the acceptance suite over HTTP against `npm start`. */
export default defineConfig({
  test: {
    ...workers,
    projects: [
      {
        test: {
          ...testOptions,
          name: 'slow',
          include: ['test/**/*.slow.test.ts'],
          exclude: ['test/acceptance/**'],
        },
      },
      {
        test: {
          ...acceptanceOptions,
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts'],
          globalSetup: 'test/acceptance/local-host.setup.ts',
        },
      },
    ],
  },
});
