import assert from 'node:assert/strict';
import type { Arrivals, Target } from './arrivals.ts';
import { postContact } from './contacts.ts';
import type { Deployed } from './operator.ts';
import type { Receiver } from './receiver.ts';
import type { Cast } from './steps.ts';
import { isGenuine } from './verify.ts';

/** A deployed environment that tells somebody, and where that arrives. */
export interface Scene {
  readonly cast: Cast;
  readonly environment: string;
  readonly baseUrl: string;
  /** The site whose pages post to it. */
  readonly origin: string;
  /** A token of the environment, with every permission. */
  readonly token: string;
  readonly targets: readonly Target[];
  readonly outputs: Deployed['outputs'];
  /** Gets the signed webhooks. */
  readonly receiver: Receiver;
  readonly arrivals: Arrivals;
}

export const minute = 60;
export const hour = 60 * minute;

/** What a visitor writes; each request is found again by its id. */
export const request = {
  email: 'visitor@example.net',
  firstName: 'Zoë',
  lastName: "O'Neill",
  message: 'Is it in stock?',
};

export const post = ({ baseUrl }: Scene, fields: Readonly<Record<string, string>> = {}) =>
  postContact(baseUrl, { ...request, ...fields });

export const secretPattern = /whsec_[A-Za-z0-9]{44}/g;

export const staff = ({ cast: { operator }, environment }: Scene, ...args: string[]) =>
  operator.staff('notifications', ...args, '--env', environment);

/** The one secret that the command prints. */
export const secretFrom = (printed: string): string => {
  const [secret, ...others] = printed.match(secretPattern) ?? [];
  assert.ok(secret !== undefined && others.length === 0, `Not one secret: ${printed.replaceAll(secretPattern, '…')}`);
  return secret;
};

/** The target whose webhook is signed. */
export const standardOf = ({ targets }: Scene): Target => {
  const [target] = targets.filter(({ kind }) => kind === 'standard');
  assert.ok(target, 'No target of the format standard');
  return target;
};

/** The URL of the queue of what was given up. */
export const deadLettersOf = ({ outputs: { DeadLetters } }: Scene): string => {
  assert.ok(DeadLetters, 'The stack has no output DeadLetters');
  return DeadLetters;
};

/** Whether a webhook that has just arrived is genuine for whom has that secret. */
export const isTakenWith = (
  { cast: { emulator, signal } }: Scene,
  secret: string,
  webhook: Parameters<typeof isGenuine>[0],
) => isGenuine(webhook, secret, emulator.now(), signal);
