import type { Deployment } from './deployment.ts';

/** Something that a check has seen. */
export interface Finding {
  readonly what: string;
  /** What is `wrong` ends the command with 1; a `note` is to be known. */
  readonly severity: 'wrong' | 'note';
  /** A command that mends it, or where that is told. */
  readonly remedy: string;
}

/** Looks at one thing of what is deployed, and changes nothing. */
export interface Check {
  /** What it looks at, in a word or some. */
  readonly name: string;
  /** What its caller has to be allowed on AWS: docs/doctor-policy.json has the same. */
  readonly actions: readonly string[];
  /** How long it may take, in milliseconds. @defaultValue half a minute */
  readonly patience?: number;
  /**
   * @param wait waits so many milliseconds, for as long as anybody waits for the check
   * @returns nothing where all is well
   */
  readonly look: (deployment: Deployment, wait: (milliseconds: number) => Promise<void>) => Promise<readonly Finding[]>;
}

export const wrong = (what: string, remedy: string): Finding => ({ what, severity: 'wrong', remedy });

export const note = (what: string, remedy: string): Finding => ({ what, severity: 'note', remedy });
