/** Items page by page, so that memory holds one page. */
export type Pages<Item> = Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>;

/** Writes under way at the same time: ten attempts of each fit into the SDK's retry quota. */
const writesAtOnce = 10;

function* itemsOf<Item>(page: readonly Item[]): Generator<Item, void> {
  yield* page;
}

/**
 * Writes each item, several at a time, until a write fails or Ctrl-C. Reads a page when all items of the one before are
 * written. No write is under way when this returns or throws, so the caller knows what was done.
 * @param signal aborted by Ctrl-C
 */
export const writeEach = async <Item>(
  pages: Pages<Item>,
  signal: AbortSignal,
  write: (item: Item) => Promise<void>,
): Promise<void> => {
  for await (const page of pages) {
    const items = itemsOf(page);
    const work = async () => {
      // An error in one of these loops ends the generator, and so all of them.
      for (const item of items) {
        signal.throwIfAborted();
        await write(item);
      }
    };
    const writers = await Promise.allSettled(Array.from({ length: writesAtOnce }, work));
    const failed = writers.find((writer) => writer.status === 'rejected');
    if (failed) throw failed.reason;
  }
};
