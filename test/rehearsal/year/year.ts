import { comeBack } from '../come-back.ts';
import { rehearseDoctor } from '../doctor.ts';
import { rehearseDomain } from '../domain.ts';
import { rehearseFirstFailure } from '../first-failure.ts';
import { rehearseMove } from '../moved.ts';
import { rehearseOwnApp } from '../own-app.ts';
import type { Receiver } from '../receiver.ts';
import { restore } from '../restored.ts';
import type { Cast } from '../steps.ts';
import { rehearseUpgrade } from '../upgrade.ts';
import { changeSettings } from './settings.ts';

/** The chapters, in this order. Each begins with what it needs, so that one can be rehearsed alone. */
const chapters: Readonly<Record<string, (cast: Cast, receiver: Receiver, only?: readonly string[]) => Promise<void>>> =
  {
    upgrade: rehearseUpgrade,
    settings: changeSettings,
    'first-failure': rehearseFirstFailure,
    'come-back': comeBack,
    restored: restore,
    move: rehearseMove,
    domain: rehearseDomain,
    'own-app': rehearseOwnApp,
    doctor: rehearseDoctor,
  };

/**
 * Rehearses a year of operations.
 * @param receiver gets signed webhooks
 * @param only chapters, in place of all; of `settings` also single ones, as in `settings.sites`
 */
export const rehearseYear = async (cast: Cast, receiver: Receiver, only?: readonly string[]): Promise<void> => {
  for (const [name, rehearse] of Object.entries(chapters)) {
    const parts = only?.filter((each) => each.startsWith(`${name}.`)).map((each) => each.slice(name.length + 1)) ?? [];
    if (parts.length > 0) await rehearse(cast, receiver, parts);
    else if (!only || only.includes(name)) await rehearse(cast, receiver);
  }
};
