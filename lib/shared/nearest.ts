/** How many letters must change to turn one text into another: https://en.wikipedia.org/wiki/Levenshtein_distance */
const distance = (one: string, other: string): number => {
  const letters = [...other];
  let above = [0, ...letters.map((_, at) => at + 1)];
  for (const letter of one) {
    const [first = 0] = above;
    const row = [first + 1];
    for (const [at, otherLetter] of letters.entries()) {
      const [diagonal = 0, up = 0] = above.slice(at, at + 2);
      row.push(Math.min((row[at] ?? 0) + 1, up + 1, diagonal + (letter === otherLetter ? 0 : 1)));
    }
    above = row;
  }
  return above.at(-1) ?? 0;
};

/** The part of a name's letters that a mistyped name may lack or have otherwise. */
const tolerance = 2 / 5;

/** What ends a message about an unknown name: the names that somebody may have meant, as in ` Did you mean sites?` */
export const didYouMean = (unknown: string, known: readonly string[]): string => {
  const near = known
    .map((name) => ({ name, changes: distance(unknown.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, changes }) => changes <= name.length * tolerance)
    .toSorted((one, other) => one.changes - other.changes);
  return near.length === 0 ? '' : ` Did you mean ${near.map(({ name }) => name).join(' or ')}?`;
};
