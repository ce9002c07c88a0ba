import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { acceptanceOptions } from '../acceptance/options.ts';
import { isolateTests } from '../support/isolation.ts';

isolateTests();

/** `http/body` for functions/http/body.ts and for its tests, test/functions/http/body.test.ts. */
const nameOf = (file: string) =>
  file
    .split('/functions/')
    .at(-1)
    ?.replace(/(\.test)?\.ts$/, '') ?? '';

/**
 * The tests of the changed file itself, then the acceptance suite, whose files share a thread, then what takes longest.
 * The first test that fails ends a run.
 */
class LikelyAndQuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const changed = new Set([this.ctx.config.related ?? []].flat().map(nameOf));
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (changed.has(nameOf(moduleId))) return 0;
      return project.name === 'acceptance' ? 1 : 2;
    };
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** The tests of functions/, and the acceptance suite with the service in its own process. */
export default defineConfig({
  test: {
    sequence: { sequencer: LikelyAndQuickFirst },
    // No import leads from the acceptance suite to the service: whatever is changed, all may notice.
    forceRerunTriggers: [join(import.meta.dirname, '..', '..', 'functions', '**')],
    projects: [
      {
        test: {
          name: 'tests',
          include: ['test/functions/**/*.test.ts'],
          // prime.test.ts loads modules within a test: Stryker counts whatever runs at loading as covered by that test. upgrade.test.ts
          // bundles the original files. Slow tests would run for hundreds of mutants.
          exclude: ['test/functions/shared/prime.test.ts', 'test/functions/sdk/upgrade.test.ts', '**/*.slow.test.ts'],
          globalSetup: 'test/support/dynamodb-server.ts',
          setupFiles: ['test/mutation/setup.ts', 'test/support/variables.ts'],
          // The slowest test takes two seconds. Some mutants make a test wait forever.
          testTimeout: 10_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...acceptanceOptions,
          name: 'acceptance',
          include: ['test/acceptance/*.test.ts'],
          globalSetup: 'test/acceptance/in-process.setup.ts',
          setupFiles: ['test/mutation/setup.ts', 'test/acceptance/in-process-service.ts'],
        },
      },
    ],
  },
});
