import { sayAmid } from '../command-line/progress.ts';
import { printable } from '../command-line/text.ts';
import type { Staff } from '../context.ts';

/** Says which item is left out, so that nothing is lost in silence. */
export const sayLeftOut =
  ({ stderr }: Pick<Staff, 'stderr'>, what: string) =>
  (id: string): void => {
    sayAmid(
      { stderr },
      `Left out the ${what} ${printable(id)}: its item cannot be read (docs/runbook.md, "unreadable-items").`,
    );
  };
