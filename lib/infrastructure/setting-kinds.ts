import * as v from 'valibot';

/**
 * An object of settings; what is missing or unknown is named by its path.
 * @param example is said to who writes something else
 */
export const settings = <const Entries extends v.ObjectEntries>(entries: Entries, example = '') =>
  v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return 'is no setting';
    return received === 'undefined' ? 'is missing' : `must be an object of settings${example}`;
  });

export const text = v.string('must be a text');

export const email = v.pipe(
  text,
  v.email(({ input }) => `"${input}" is no e-mail address`),
);

export const flag = v.boolean('must be true or false');

/** A list of texts, each of them once, in whatever case. */
export const list = <const Item extends v.GenericSchema<unknown, string>>(item: Item) =>
  v.pipe(
    v.array(item, 'must be a list'),
    v.check((items) => new Set(items.map((each) => each.toLowerCase())).size === items.length, 'names one twice'),
  );

export const wholeNumber = (max: number) => {
  const message = `must be a whole number from 1 to ${max.toLocaleString('en')}`;
  return v.pipe(
    v.number(message),
    v.check((value) => Number.isInteger(value) && value >= 1 && value <= max, message),
  );
};

/** One of some texts. */
export const oneOf = <const Texts extends readonly string[]>(texts: Texts) =>
  v.picklist(texts, `must be one of ${texts.map((each) => `"${each}"`).join(', ')}`);

/** Names of this machine, as a URL writes them. */
export const localHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
