/**
 * Counts texts in bounded memory.
 * @param maxTexts how many texts memory holds. When there are more, as in a flood of random ones, it forgets the rarer half.
 * Texts that were more frequent until then keep exact counts, so a flood cannot hide them
 */
export const countFrequent = (maxTexts = 100_000) => {
  const counts = new Map<string, number>();

  const forgetRare = () => {
    const ascending = Uint32Array.from(counts.values()).sort();
    const median = ascending[(ascending.length - 1) >> 1] ?? 0;
    for (const [text, amount] of counts) if (amount <= median) counts.delete(text);
  };

  return {
    /** In the order in which the texts came first. */
    counts: counts as ReadonlyMap<string, number>,
    add: (text: string): void => {
      counts.set(text, (counts.get(text) ?? 0) + 1);
      if (counts.size > maxTexts) forgetRare();
    },
  };
};
