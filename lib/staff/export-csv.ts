import * as v from 'valibot';
import { type Contact, storedContact } from '../../functions/contacts/contact.ts';
import { toCsvRow } from '../../functions/contacts/csv.ts';

/** How many extra fields have a column of their own. */
const maxColumns = 100;

const columns = v.keyof(v.omit(storedContact, ['extra'])).options;

/**
 * Counts in how many contact requests each extra field occurs.
 * @param maxNames how many names memory holds. When there are more, as in a flood of random names, it forgets the rarer half.
 * Names that were more frequent until then keep exact counts, so a flood cannot hide the fields of a form
 */
export const countExtraNames = (maxNames = 100_000) => {
  const counts = new Map<string, number>();

  const forgetRare = () => {
    const ascending = Uint32Array.from(counts.values()).sort();
    const median = ascending[(ascending.length - 1) >> 1] ?? 0;
    for (const [name, amount] of counts) if (amount <= median) counts.delete(name);
  };

  return {
    add: ({ extra = {} }: Contact): void => {
      for (const name of Object.keys(extra)) counts.set(name, (counts.get(name) ?? 0) + 1);
      if (counts.size > maxNames) forgetRare();
    },
    /** How many names it holds. */
    size: (): number => counts.size,
    /** The most frequent names first, equally frequent ones by their code units. */
    mostFrequent: (): readonly string[] =>
      [...counts]
        .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
        .slice(0, maxColumns)
        .map(([name]) => name),
  };
};

/**
 * The columns of the API's CSV, and a column for each of these extra fields before the last one, `extra`, which has the rest
 * as JSON. A list of texts has a line for each.
 */
export const csvWithExtraColumns = (names: readonly string[]) => {
  const hasColumn = new Set(names);
  return {
    header: toCsvRow([...columns, ...names.map((name) => `extra.${name}`), 'extra']),
    toRow: (contact: Contact): string => {
      // A name can be `__proto__`.
      const extra = new Map(Object.entries(contact.extra ?? {}));
      const rest = [...extra].filter(([name]) => !hasColumn.has(name));
      return toCsvRow([
        ...columns.map((column) => contact[column]),
        ...names.map((name) => [extra.get(name) ?? ''].flat().join('\n')),
        rest.length > 0 ? Object.fromEntries(rest) : undefined,
      ]);
    },
  };
};
