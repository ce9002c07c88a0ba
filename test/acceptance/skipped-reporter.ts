import type { Reporter, TestModule } from 'vitest/node';

/** Prints the missing capabilities of the target, and the number of tests skipped for each. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const note = result.state === 'skipped' ? result.note : undefined;
        if (note !== undefined) counts.set(note, (counts.get(note) ?? 0) + 1);
      }
    }
    for (const [note, count] of counts) console.log(`Skipped, ${note}: ${count} ${count === 1 ? 'test' : 'tests'}`);
  }
}
