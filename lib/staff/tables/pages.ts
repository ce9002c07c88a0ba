import type { ListPage } from '../../../functions/list-page.ts';
import type { LongWork } from '../context.ts';

/**
 * Every page of a list, one after the other; one is in memory at a time.
 * @param readPage reads the page after a sort key
 */
export async function* allPages<Item>(
  readPage: (after: string | undefined) => Promise<ListPage<Item>>,
): AsyncGenerator<readonly Item[]> {
  let after: string | undefined;
  do {
    const { items, next } = await readPage(after);
    yield items;
    after = next;
  } while (after !== undefined);
}

/** The same pages, as long work: reported one by one, until the signal. */
export async function* watchPages<Item>(
  pages: AsyncIterable<readonly Item[]>,
  { signal, report }: LongWork,
): AsyncGenerator<readonly Item[]> {
  let done = 0;
  for await (const page of pages) {
    signal.throwIfAborted();
    yield page;
    done += page.length;
    report(done);
  }
}
