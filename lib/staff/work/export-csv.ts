import * as v from 'valibot';
import { type Contact, storedContact } from '../../../functions/contacts/contact.ts';
import { fieldCell, textCell, toCsvRow, withoutInnerFormulas } from '../../../functions/contacts/csv.ts';
import { countFrequent } from './frequent.ts';

/** How many extra fields have a column of their own. */
const maxColumns = 100;

const columns = v.keyof(v.omit(storedContact, ['extra'])).options;

/** Counts in how many contact requests each extra field occurs. */
export const countExtraNames = () => {
  const { add, counts } = countFrequent();
  return {
    add: ({ extra = {} }: Contact): void => Object.keys(extra).forEach(add),
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
export const csvWithExtraColumns = (names: readonly string[], separator?: string) => {
  const hasColumn = new Set(names);
  return {
    header: toCsvRow([...columns, ...names.map((name) => withoutInnerFormulas(`extra.${name}`)), 'extra'], separator),
    toRow: (contact: Contact): string => {
      // A name can be `__proto__`.
      const extra = new Map(Object.entries(contact.extra ?? {}));
      const rest = [...extra].filter(([name]) => !hasColumn.has(name));
      return toCsvRow(
        [
          ...columns.map((column) => fieldCell(column, contact[column])),
          ...names.map((name) => textCell([extra.get(name) ?? ''].flat().join('\n'))),
          rest.length > 0 ? fieldCell('extra', Object.fromEntries(rest)) : '',
        ],
        separator,
      );
    },
  };
};
