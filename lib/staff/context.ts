import type { Readable, Writable } from 'node:stream';
import type { StaffTables } from './tables/tables.ts';

/** What surrounds a command: a process gives its own, a test gives others. */
export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Results. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** What is said about them: hints, questions, progress, mistakes. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Waits for this many milliseconds, or until the signal. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Aborted by Ctrl-C: long work then stops after the step under way. */
  readonly signal: AbortSignal;
}

/** What the staff command needs to run. */
export interface StaffContext extends Surroundings {
  /** Opens the tables of an environment: `local` or a key of lib/environments.ts. */
  readonly openTables: (environment: string) => Promise<StaffTables>;
  /** The environment variables: npm leaves there what it kept of the command line. */
  readonly variables: Readonly<NodeJS.ProcessEnv>;
}

/** What a command of an environment works with. */
export interface Staff extends Surroundings {
  /** `local` or a key of lib/environments.ts. */
  readonly environment: string;
  readonly tables: StaffTables;
  /** The time where the tables are. */
  readonly now: Date;
}
