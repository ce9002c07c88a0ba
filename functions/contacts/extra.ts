import * as v from 'valibot';
import { entriesOf } from '../entries.ts';

/** Every field that a form sent beyond those of a contact request: name to text, or to a list of texts. */
export type Extra = Readonly<Record<string, string | readonly string[]>>;

const extra = v.pipe(
  entriesOf(v.union([v.string(), v.pipe(v.array(v.string()), v.readonly())])),
  v.transform((entries): Extra => Object.fromEntries(entries)),
);

/** `extra` as it is stored: as JSON text, which keeps every name, `__proto__` too, and their order (docs/decisions/0013). */
export const storedExtra = v.pipe(v.string(), v.parseJson(), extra);
