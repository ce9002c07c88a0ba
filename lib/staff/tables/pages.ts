import type { ListPage } from '../../../functions/list-page.ts';
import { printable } from '../command-line/text.ts';
import type { Staff } from '../context.ts';

/** Says which item is left out, so that nothing is lost in silence. */
export const sayLeftOut =
  ({ stderr }: Pick<Staff, 'stderr'>, what: string) =>
  (id: string): void => {
    stderr.write(
      `Left out the ${what} ${printable(id)}: its item cannot be read (docs/runbook.md, "unreadable-items").\n`,
    );
  };

/**
 * Every page of a list, one after the other; one is in memory at a time.
 * @param readPage reads the page after a sort key
 * @param leaveOut is told the id of each item that cannot be read
 */
export async function* allPages<Item>(
  readPage: (after: string | undefined) => Promise<ListPage<Item>>,
  leaveOut: (id: string) => void,
): AsyncGenerator<readonly Item[]> {
  let after: string | undefined;
  do {
    const { items, unreadable, next } = await readPage(after);
    unreadable.forEach(leaveOut);
    yield items;
    after = next;
  } while (after !== undefined);
}
