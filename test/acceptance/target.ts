import { inject, type TestContext } from 'vitest';
import type { Capability, Settings } from './settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly target: Target;
  }
}

/** The service under test, and this run of the suite against it. */
export interface Target extends Settings {
  /** Stands in everything that this run sends to be stored: the target may have other users, and other runs. */
  readonly run: string;
}

const { IN_PROCESS_BASE_URL } = process.env;

export const target: Target = {
  ...inject('target'),
  ...(IN_PROCESS_BASE_URL !== undefined && { baseUrl: IN_PROCESS_BASE_URL }),
};

/** Skips the test, by name, where the target lacks what it needs. */
export const requires = ({ skip }: TestContext, capability: Capability): void =>
  skip(target.lacks.includes(capability), `the target lacks ${capability}`);
