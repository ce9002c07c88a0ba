import * as v from 'valibot';
import { type Fault, faultFromMessage, issueMessage } from '../http/errors.ts';
import { entriesOf } from '../http/request.ts';
import { isBlank, multilineText } from '../shared/text.ts';

/** The fields of a form beyond the six of a contact request: name to text or list of texts. */
export type Extra = Readonly<Record<string, string | readonly string[]>>;

/** How an environment handles these fields. */
export const extraFieldsChoices = ['keep', 'ignore'] as const;

const maxFields = 50;
const maxNameLength = 64;
/** UTF-8 bytes of names and values together. */
const maxBytes = 16 * 1024;

export const extraName = v.pipe(
  v.string(),
  v.check((name) => name.isWellFormed(), issueMessage('malformed_text')),
  v.check((name) => name !== '' && [...name].length <= maxNameLength, issueMessage('invalid_name', maxNameLength)),
  v.regex(/^\P{Cc}*$/u, issueMessage('invalid_name', maxNameLength)),
);

/** Refuses integers that JavaScript cannot hold exactly, rather than storing another number. */
const number = v.pipe(
  v.number(),
  v.check(
    (value) => Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)),
    issueMessage('not_text'),
  ),
);

/** Characters. */
export const maxTextLength = 2000;

export const extraText = multilineText(maxTextLength);

/** Numbers and booleans become text. */
export const sentExtra = v.pipe(
  v.union([v.string(), v.boolean(), number], issueMessage('not_text')),
  v.transform(String),
  extraText,
);

/** A repeated field, or a list in JSON. Blank values are treated as missing. */
const texts = v.pipe(
  v.array(v.unknown()),
  v.transform((values) => values.filter((value) => !isBlank(value))),
  v.array(sentExtra),
);

const isGiven = (value: unknown) => !(Array.isArray(value) ? value.every(isBlank) : isBlank(value));

export interface ExtraInput {
  /** Absent if there are no extra fields. */
  readonly extra?: Extra;
  readonly faults: readonly Fault[];
}

/** Validates the extra fields. Each fault names its field, or `body`. */
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
    else faults.push(faultFromMessage(name || 'body', read.issues[0].message));
  }
  const bytes = kept.flat(2).reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (bytes > maxBytes && !faults.some(({ field }) => field === 'body'))
    faults.push({ field: 'body', code: 'too_large', limit: maxBytes });
  return { extra: Object.fromEntries(kept), faults };
};

/** A value of `extra`. */
export const extraValue = v.union([v.string(), v.pipe(v.array(v.string()), v.readonly())]);

/** `extra` is stored as JSON text, which keeps every name, even `__proto__` (docs/decisions.md). */
export const storedExtra = v.pipe(
  v.string(),
  v.parseJson(),
  entriesOf(extraValue),
  v.transform((entries): Extra => Object.fromEntries(entries)),
);
