import * as v from 'valibot';
import { type Contact, storedContact } from '../../../functions/contacts/contact.ts';
import { toCsvRow } from '../../../functions/contacts/csv.ts';
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
 * What a spreadsheet reads as another number, a date or a time: a zero before other digits (`0049170`), more than 15 digits,
 * an exponent (`1E5`), two or three groups of at most four digits (`1-2`, `01/02/2026`, `12.50`, `10:30`). Which groups it
 * takes for a date depends on its language. Phone numbers such as `030/1234567` stay text everywhere.
 */
const changesInSpreadsheet = /^\s*(?:0\d[\d.,]*|\d{16,}|\d[\d.,]*e[+-]?\d+|\d{1,4}(?:[-/.:,]\d{1,4}){1,2}\.?)\s*$/i;

/** Puts an apostrophe before a text that a spreadsheet would change, so that it stays text. */
export const keepText = (text: string): string => text.replace(changesInSpreadsheet, "'$&");

/**
 * The columns of the API's CSV, and a column for each of these extra fields before the last one, `extra`, which has the rest
 * as JSON. A list of texts has a line for each. What a spreadsheet would change has an apostrophe before it.
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
        ...columns.map((column) => keepText(contact[column] ?? '')),
        ...names.map((name) => keepText([extra.get(name) ?? ''].flat().join('\n'))),
        rest.length > 0 ? Object.fromEntries(rest) : undefined,
      ]);
    },
  };
};
