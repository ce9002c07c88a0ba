import type { awsConsole } from './aws.ts';
import type { Emulator } from './emulator.ts';
import type { Operator } from './operator.ts';

/** What every chapter works with. */
export interface Cast {
  readonly emulator: Emulator;
  readonly operator: Operator;
  readonly aws: ReturnType<typeof awsConsole>;
  readonly steps: Steps;
  readonly signal: AbortSignal;
}

/** Runs the steps, and prints each as it goes and all at the end. */
export class Steps {
  readonly #lines: string[] = [];
  readonly #notShown = new Set<string>();

  /** @throws {unknown} what the work throws */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    console.log(`\n=== ${name}`);
    const started = performance.now();
    let outcome = 'FAILED';
    try {
      const result = await work();
      outcome = 'done';
      return result;
    } finally {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      this.#lines.push(`${seconds.padStart(7)} s  ${outcome.padEnd(6)}  ${name}`);
    }
  }

  /** Prints what the present step has shown. */
  say(what: string): void {
    console.log(`    ${what}`);
  }

  /** Notes what the rehearsal cannot show, and why. */
  notShown(...what: readonly string[]): void {
    for (const each of what) this.#notShown.add(each);
  }

  print(): void {
    console.log(['\n=== What was rehearsed', ...this.#lines].join('\n'));
    if (this.#notShown.size === 0) return;
    console.log('\n=== What the emulator (ministack) or this machine cannot show');
    for (const what of this.#notShown) this.say(what);
  }
}
