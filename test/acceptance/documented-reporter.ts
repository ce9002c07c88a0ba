import { globSync } from 'node:fs';
import { basename } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** The documented successes of all operations, as in `GET /api/v1/contact 200`. */
const documentedSuccesses = async (): Promise<string[]> => {
  // Only here: most runs have no need of it.
  const { readDocument } = await import('../openapi/document.ts');
  return Object.entries(readDocument().document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses)
        .filter((status) => status.startsWith('2'))
        .map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
};

/** Fails a run of the whole suite if none of its tests saw the documented success of an operation. */
export default class DocumentedReporter implements Reporter {
  /** @throws {Error} naming what no test saw */
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const files = new Set(modules.map(({ moduleId }) => basename(moduleId)));
    const isWhole = globSync('*.test.ts', { cwd: import.meta.dirname }).every((file) => files.has(file));
    const tests = modules
      .filter(({ project }) => project.name === 'acceptance')
      .flatMap(({ children }) => [...children.allTests()]);
    // A test that failed or was skipped could have seen it.
    if (!isWhole || tests.some((test) => test.result().state !== 'passed')) return;
    const seen = new Set(tests.flatMap((test) => test.meta().documented ?? []));
    const unseen = (await documentedSuccesses()).filter((success) => !seen.has(success));
    if (unseen.length > 0) throw new Error(`No acceptance test saw this success of openapi.yaml: ${unseen.join(', ')}`);
  }
}
