import { rehearseFirstFailure } from '../first-failure.ts';
import type { Cast } from '../steps.ts';
import { Home } from './home.ts';
import { upgrade } from './upgrade.ts';

/** What happens in the year, in this order. Each begins with what it needs, so that one can be rehearsed alone. */
const chapters = { upgrade, firstFailure: rehearseFirstFailure } satisfies Record<
  string,
  (cast: Cast, home: Home) => Promise<void>
>;

/**
 * Rehearses a year of operations.
 * @param only the names of chapters, in place of all
 */
export const rehearseYear = async (cast: Cast, only?: readonly string[]): Promise<void> => {
  const home = new Home(cast);
  for (const [name, rehearse] of Object.entries(chapters)) {
    if (only && !only.includes(name)) continue;
    await rehearse(cast, home);
  }
};
