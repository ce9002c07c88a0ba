import { comeBack } from '../come-back.ts';
import { rehearseDeployRole } from '../deploy-role.ts';
import { rehearseDoctor } from '../doctor.ts';
import { rehearseDomain } from '../domain.ts';
import { rehearseFirstFailure } from '../first-failure.ts';
import { rehearseMove } from '../moved.ts';
import { rehearseOwnApp } from '../own-app.ts';
import type { Receiver } from '../receiver.ts';
import { restore } from '../restored.ts';
import type { Cast } from '../steps.ts';
import { Home, type Year } from './home.ts';
import { changeSettings } from './settings.ts';

/** What happens in the year, in this order. Each begins with what it needs, so that one can be rehearsed alone. */
const chapters: Readonly<Record<string, (year: Year, only?: readonly string[]) => Promise<void>>> = {
  settings: changeSettings,
  'first-failure': ({ cast }) => rehearseFirstFailure(cast),
  'come-back': ({ cast }) => comeBack(cast),
  restored: ({ cast }) => restore(cast),
  move: ({ cast }) => rehearseMove(cast),
  domain: ({ cast }) => rehearseDomain(cast),
  'own-app': ({ cast }) => rehearseOwnApp(cast),
  doctor: ({ cast }) => rehearseDoctor(cast),
  'deploy-role': ({ cast }) => rehearseDeployRole(cast),
};

/**
 * Rehearses a year of operations.
 * @param only chapters, in place of all; of `settings` also single ones, as in `settings.sites`
 */
export const rehearseYear = async (cast: Cast, receiver: Receiver, only?: readonly string[]): Promise<void> => {
  const year = { cast, home: new Home(cast, 'prod'), receiver };
  for (const [name, rehearse] of Object.entries(chapters)) {
    const parts = only?.filter((each) => each.startsWith(`${name}.`)).map((each) => each.slice(name.length + 1)) ?? [];
    if (parts.length > 0) await rehearse(year, parts);
    else if (!only || only.includes(name)) await rehearse(year);
  }
};
