import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isolate } from '../../lib/local/host/isolation.ts';

// Before the tests' own processes start: these inherit what is left.
isolate(process.env);

/** `http/time` for functions/http/time.ts and for its tests, test/functions/http/time.test.ts. */
const nameOf = (file: string) =>
  file
    .split('/functions/')
    .at(-1)
    ?.replace(/(\.test)?\.ts$/, '') ?? '';

/** The tests of the changed file itself before those that reach it by way of others: the first that fails ends a run. */
class OwnTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const changed = new Set([this.ctx.config.related ?? []].flat().map(nameOf));
    const isOwn = ({ moduleId }: TestSpecification) => changed.has(nameOf(moduleId));
    const [own, others] = [files.filter(isOwn), files.filter((file) => !isOwn(file))];
    return [...own, ...(await super.sort(others))];
  }
}

/** The tests that run functions/ in their own process, where a mutant can be switched on. */
export default defineConfig({
  test: {
    include: ['test/functions/**/*.test.ts'],
    globalSetup: 'test/support/dynamodb-server.ts',
    setupFiles: ['test/mutation/setup.ts', 'test/support/environment.ts'],
    sequence: { sequencer: OwnTestsFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
