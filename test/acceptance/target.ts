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

export const target = inject('target');

/** Skips the test if the target lacks a capability. */
export const requires = ({ skip }: TestContext, capability: Capability): void =>
  skip(target.lacks.includes(capability), `the target lacks ${capability}`);
