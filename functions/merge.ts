/**
 * Merges sources that are each in order into one list in order. It reads nothing ahead: a source is asked for its next
 * item only when the one before has been given out and the list goes on.
 * @param precedes whether one item stands before the other in the list
 */
export async function* mergeSorted<Item>(
  sources: readonly AsyncIterator<Item, undefined>[],
  precedes: (one: Item, other: Item) => boolean,
): AsyncGenerator<Item, undefined> {
  const heads = await Promise.all(sources.map(async (source) => ({ source, item: (await source.next()).value })));
  for (;;) {
    let first: { head: (typeof heads)[number]; item: Item } | undefined;
    for (const head of heads) {
      if (head.item === undefined) continue;
      if (!first || precedes(head.item, first.item)) first = { head, item: head.item };
    }
    if (!first) return undefined;
    yield first.item;
    first.head.item = (await first.head.source.next()).value;
  }
}
