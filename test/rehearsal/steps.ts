import type { awsConsole } from './aws.ts';
import type { Emulator } from './emulator.ts';
import type { Operator } from './operator.ts';
import type { Receiver } from './receiver.ts';

/** The emulator and its users: every chapter works with these. */
export interface Cast {
  readonly emulator: Emulator;
  readonly operator: Operator;
  readonly aws: ReturnType<typeof awsConsole>;
  readonly receiver: Receiver;
  readonly steps: Steps;
  readonly signal: AbortSignal;
}

/** Runs the steps, prints each as it goes, and all of them at the end. */
export class Steps {
  readonly #lines: string[] = [];
  readonly #notShown: string[] = [];

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

  /** Prints a result of the current step. */
  say(what: string): void {
    console.log(`    ${what}`);
  }

  /** Notes a gap of the rehearsal, and the reason. */
  notShown(...what: readonly string[]): void {
    this.#notShown.push(...what);
  }

  print(): void {
    console.log(['\n=== Rehearsed', ...this.#lines].join('\n'));
    if (this.#notShown.length === 0) return;
    console.log('\n=== Not rehearsed: the emulator (ministack) cannot show it');
    for (const what of this.#notShown) this.say(what);
  }
}
