import { distance } from 'fastest-levenshtein';

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
