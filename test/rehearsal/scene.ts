import assert from 'node:assert/strict';
import { type Arrivals, arrivalsAt, type Target, targetsIn } from './arrivals.ts';
import { postContact } from './contacts.ts';
import type { Deployed } from './operator.ts';
import type { Received, Receiver } from './receiver.ts';
import type { Cast } from './steps.ts';
import { isGenuine } from './verify.ts';

export const minute = 60;
export const hour = 60 * minute;

/** The servers that get webhooks. */
export interface Receivers {
  readonly standard: Receiver;
  readonly slack: Receiver;
}

/** A deployed environment with notifications, and what arrives at its targets. */
export interface Scene {
  readonly cast: Cast;
  readonly environment: string;
  readonly baseUrl: string;
  /** The site whose pages post to it. */
  readonly origin: string;
  /** A token of the environment, with every permission. */
  readonly token: string;
  readonly targets: readonly Target[];
  /** The target whose webhook is signed. */
  readonly signed: Target;
  readonly outputs: Deployed['outputs'];
  /** Gets the signed webhooks. */
  readonly receiver: Receiver;
  readonly arrivals: Arrivals;
}

export const sceneOf = (
  given: Pick<Scene, 'cast' | 'environment' | 'baseUrl' | 'origin' | 'token' | 'outputs'>,
  receivers: Receivers,
): Scene => {
  const targets = targetsIn(given.outputs);
  const signed = targets.find(({ kind }) => kind === 'webhook');
  assert.ok(signed, 'No target has a signed webhook');
  const { emulator, signal } = given.cast;
  const arrivals = arrivalsAt(emulator, receivers, targets, signal);
  return { ...given, targets, signed, receiver: receivers.standard, arrivals };
};

/** What a visitor writes; each contact request is found again by its id. */
export const request = {
  email: 'visitor@example.net',
  firstName: 'Zoë',
  lastName: "O'Neill",
  message: 'Is it in stock?',
};

export const post = ({ baseUrl }: Scene, fields: Readonly<Record<string, string>> = {}) =>
  postContact(baseUrl, { ...request, ...fields });

/** Runs a command of the group `notifications`. @returns what it printed */
export const staff = ({ cast: { operator }, environment }: Scene, ...args: string[]) =>
  operator.staff('notifications', ...args, '--env', environment);

export const secretPattern = /whsec_[A-Za-z0-9]{44}/g;

/** The one secret that the command prints. */
export const secretFrom = (printed: string): string => {
  const [secret, ...others] = printed.match(secretPattern) ?? [];
  assert.ok(secret !== undefined && others.length === 0, `Not one secret: ${printed.replaceAll(secretPattern, '…')}`);
  return secret;
};

/** Whether a receiver with that secret takes a webhook that has just arrived. */
export const isTakenWith = ({ cast: { emulator, signal } }: Scene, secret: string, webhook: Received) =>
  isGenuine(webhook, secret, emulator.now(), signal);
