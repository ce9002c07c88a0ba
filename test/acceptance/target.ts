import { inject, type TestContext } from 'vitest';
import type { Capability, Settings } from './settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly target: Target;
  }
}

/** The service under test, and this run of the suite against it. */
export interface Target extends Settings {
  /** Marks the contact requests of this run: the target can have other users. */
  readonly run: string;
}

const { IN_PROCESS_BASE_URL } = process.env;

export const target: Target = {
  ...inject('target'),
  ...(IN_PROCESS_BASE_URL !== undefined && { baseUrl: IN_PROCESS_BASE_URL }),
};

/** Skips the test if the target lacks a capability. */
export const requires = ({ skip }: TestContext, capability: Capability): void =>
  skip(target.lacks.includes(capability), `the target lacks ${capability}`);
