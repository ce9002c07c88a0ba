import { until } from '../support/until.ts';
import type { awsConsole } from './aws.ts';
import type { Cloud } from './cloud.ts';
import type { Emulator } from './emulator.ts';
import type { Operator } from './operator.ts';
import type { Receiver } from './receiver.ts';

/** A cloud and its users: every step works with these. */
export interface Cast {
  readonly cloud: Cloud;
  readonly operator: Operator;
  readonly aws: ReturnType<typeof awsConsole>;
  readonly receiver: Receiver;
  readonly steps: Steps;
  readonly signal: AbortSignal;
}

/** For the chapters that only an emulator can play. */
export interface Rehearsal extends Cast {
  readonly emulator: Emulator;
}

/** Looks for something that comes by itself, until it is there. @param what it is, for the error */
export const comes = <Found>(
  { cloud, signal }: Cast,
  what: string,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found> => until(what, look, signal, cloud.patience);

/** A step that ended, with what it found. */
export interface Step {
  readonly name: string;
  readonly seconds: number;
  readonly said: readonly string[];
  /** What it failed with. */
  readonly error?: unknown;
}

/** Runs the steps, prints each as it goes, and all of them at the end. */
export class Steps {
  readonly #ended: Step[] = [];
  readonly #gaps: string[] = [];
  #said: string[] = [];

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    console.log(`\n=== ${name}`);
    const started = performance.now();
    this.#said = [];
    const end = (failure: Pick<Step, 'error'>) =>
      this.#ended.push({ name, seconds: (performance.now() - started) / 1000, said: this.#said, ...failure });
    try {
      const result = await work();
      end({});
      return result;
    } catch (error) {
      end({ error });
      throw error;
    }
  }

  /** Prints a result of the current step. */
  say(what: string): void {
    this.#said.push(what);
    console.log(`    ${what}`);
  }

  /** Notes what the run cannot show, and the reason. */
  notShown(...what: readonly string[]): void {
    this.#gaps.push(...what);
  }

  get ended(): readonly Step[] {
    return this.#ended;
  }

  get gaps(): readonly string[] {
    return this.#gaps;
  }

  print(): void {
    const lines = this.#ended.map(
      ({ name, seconds, error }) =>
        `${seconds.toFixed(1).padStart(7)} s  ${error === undefined ? 'done  ' : 'FAILED'}  ${name}`,
    );
    console.log(['\n=== Steps', ...lines].join('\n'));
    if (this.#gaps.length === 0) return;
    console.log('\n=== Not shown');
    for (const what of this.#gaps) console.log(`    ${what}`);
  }
}
