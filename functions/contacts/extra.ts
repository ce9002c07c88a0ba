import * as v from 'valibot';
import { broken, type Fault, faultOf } from '../http/errors.ts';
import { entriesOf } from '../http/request.ts';
import { isBlank, multilineText } from '../shared/text.ts';

/** Every field that a form sent beyond those of a contact request: name to text, or to a list of texts. */
export type Extra = Readonly<Record<string, string | readonly string[]>>;

const maxFields = 50;
const maxNameLength = 64;
/** Of names and values together, in UTF-8: DynamoDB's price of a write, and of what reads it again, is one of its bytes. */
const maxBytes = 16 * 1024;

export const extraName = v.pipe(
  v.string(),
  v.check((name) => name.isWellFormed(), broken('malformed_text')),
  v.check((name) => name !== '' && [...name].length <= maxNameLength, broken('invalid_name', maxNameLength)),
  v.regex(/^\P{Cc}*$/u, broken('invalid_name', maxNameLength)),
);

/** A whole number that was changed when it was read, being beyond what JavaScript's hold, is refused rather than lost. */
const number = v.pipe(
  v.number(),
  v.check(
    (value) => Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)),
    broken('not_text'),
  ),
);

/** What is kept of a value. */
export const extraText = multilineText(2000);

/** What may be sent for it. */
export const sentExtra = v.pipe(
  v.union([v.string(), v.boolean(), number], broken('not_text')),
  v.transform(String),
  extraText,
);

/** A repeated field, or a list in JSON: what is blank in it counts as absent, as a blank field does. */
const texts = v.pipe(
  v.array(v.unknown()),
  v.transform((values) => values.filter((value) => !isBlank(value))),
  v.array(sentExtra),
);

const isGiven = (value: unknown) => !(Array.isArray(value) ? value.every(isBlank) : isBlank(value));

export interface ExtraInput {
  /** Absent when there is nothing in it. */
  readonly extra?: Extra;
  readonly faults: readonly Fault[];
}

/** Checks the fields that a contact request has no place of its own for; each fault names its field, or the `body`. */
export const parseExtra = (sent: readonly (readonly [name: string, value: unknown])[]): ExtraInput => {
  const given = sent.filter(([, value]) => isGiven(value));
  if (given.length === 0) return { faults: [] };
  if (given.length > maxFields) return { faults: [{ field: 'body', code: 'too_many', limit: maxFields }] };

  const kept: [name: string, value: string | string[]][] = [];
  const faults: Fault[] = [];
  for (const [name, value] of given) {
    const read = v.safeParse(v.tuple([extraName, Array.isArray(value) ? texts : sentExtra]), [name, value], {
      abortEarly: true,
    });
    if (read.success) kept.push(read.output);
    else faults.push(faultOf(name || 'body', read.issues[0].message));
  }
  const bytes = kept.flat(2).reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (bytes > maxBytes && !faults.some(({ field }) => field === 'body'))
    faults.push({ field: 'body', code: 'too_large', limit: maxBytes });
  return { extra: Object.fromEntries(kept), faults };
};

/** A value of `extra`. */
export const extraValue = v.union([v.string(), v.pipe(v.array(v.string()), v.readonly())]);

/** `extra` as it is stored: JSON text, which keeps every name, `__proto__` too (docs/decisions.md). */
export const storedExtra = v.pipe(
  v.string(),
  v.parseJson(),
  entriesOf(extraValue),
  v.transform((entries): Extra => Object.fromEntries(entries)),
);
