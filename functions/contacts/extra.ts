import * as v from 'valibot';
import type { FieldError, ValueError } from '../http/errors.ts';
import { entriesOf } from '../http/request.ts';
import { isBlank, isExact, multilineText, type Parsed } from '../shared/text.ts';

/** The fields of a form beyond those of a contact request: name to text or list of texts. */
export type Extra = Readonly<Record<string, string | readonly string[]>>;

/** How an environment handles these fields. */
export const extraFieldsChoices = ['keep', 'ignore'] as const;

const maxFields = 100;
/** Characters of a name: some forms use their labels as names. */
export const maxNameLength = 200;
/** UTF-8 bytes of names and values together. */
const maxBytes = 16 * 1024;

/** The rule of the name of an extra field. It is kept unchanged. */
export const extraName = (name: string): Parsed<string, ValueError> =>
  [...name].length <= maxNameLength ? { value: name } : { error: { code: 'invalid_name', limit: maxNameLength } };

/** Characters. */
export const maxTextLength = 5000;

const parseText = multilineText(maxTextLength);

/** Numbers and booleans become text. */
const parseSingle = (value: unknown) =>
  parseText(typeof value === 'boolean' || (typeof value === 'number' && isExact(value)) ? String(value) : value);

/** A repeated field, or a list in JSON. Blank values are treated as missing. */
const parseList = (values: readonly unknown[]): Parsed<readonly string[], ValueError> => {
  const texts: string[] = [];
  for (const value of values) {
    if (isBlank(value)) continue;
    const text = parseSingle(value);
    if ('error' in text) return text;
    texts.push(text.value);
  }
  return { value: texts };
};

/** Whether something is filled in. */
export const isGiven = (value: unknown) => !(Array.isArray(value) ? value.every(isBlank) : isBlank(value));

interface ExtraInput {
  /** Absent if there are no extra fields. */
  readonly extra?: Extra;
  readonly errors: readonly FieldError[];
}

/** Validates the extra fields. Each error names its field, or `body`. */
export const parseExtra = (sent: readonly (readonly [name: string, value: unknown])[]): ExtraInput => {
  // A field without a name is left out.
  const given = sent.filter(([name, value]) => name !== '' && isGiven(value));
  if (given.length === 0) return { errors: [] };
  if (given.length > maxFields) return { errors: [{ field: 'body', code: 'too_many', limit: maxFields }] };

  const kept: [name: string, value: string | readonly string[]][] = [];
  const errors: FieldError[] = [];
  for (const [sentName, sentValue] of given) {
    const name = extraName(sentName);
    const parsed = Array.isArray(sentValue) ? parseList(sentValue) : parseSingle(sentValue);
    if ('error' in name) errors.push({ field: sentName, ...name.error });
    else if ('error' in parsed) errors.push({ field: sentName, ...parsed.error });
    else kept.push([name.value, parsed.value]);
  }
  const bytes = kept.flat(2).reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (bytes > maxBytes && !errors.some(({ field }) => field === 'body'))
    errors.push({ field: 'body', code: 'too_large', limit: maxBytes });
  return { extra: Object.fromEntries(kept), errors };
};

/** A value of `extra`. */
const extraValue = v.union([v.string(), v.pipe(v.array(v.string()), v.readonly())]);

/** `extra` is stored as JSON text, which keeps every name. A DynamoDB map would lose `__proto__` in the SDK. */
export const storedExtra = v.pipe(
  v.string(),
  v.parseJson(),
  entriesOf(extraValue),
  v.transform((entries): Extra => Object.fromEntries(entries)),
);
