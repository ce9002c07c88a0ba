import * as v from 'valibot';
import type { BodyFields } from '../http/body.ts';
import type { Fault, ValueFault } from '../http/errors.ts';
import { isBlank, line, multilineText, type Parsed } from '../shared/text.ts';
import { type Extra, parseExtra, storedExtra } from './extra.ts';
import { formFields } from './form-fields.ts';

type Rule = (value: unknown) => Parsed<string, ValueFault>;

/** The rule of a text that must also match a pattern. */
const matching = (rule: Rule, pattern: RegExp, code: 'invalid_email' | 'invalid_phone'): Rule => {
  return (value) => {
    const text = rule(value);
    return 'fault' in text || pattern.test(text.value) ? text : { fault: { code } };
  };
};

/** At least three digits, with the usual separators. */
const phoneNumber = /^(?:[+()\-./ x#]*[0-9]){3}[0-9+()\-./ x#]*$/;

/**
 * The fields that a visitor fills in (interface.md, section 2), in display order, each with its rule and a sample.
 * interface.md leaves the name of the first one open: here it is `email`.
 */
export const contactFields = [
  {
    name: 'email',
    // The HTML standard's rule: what a browser's input accepts is accepted here.
    rule: matching(line(254), v.RFC_EMAIL_REGEX, 'invalid_email'),
    sample: 'visitor@example.com',
  },
  { name: 'phone', rule: matching(line(32), phoneNumber, 'invalid_phone'), sample: '+1 202 555 0142' },
  { name: 'company', rule: line(200), sample: 'Example Company' },
  {
    name: 'message',
    rule: multilineText(5000),
    sample: 'This is a test: contact requests arrive here.\nNobody wrote it, and it is not stored.',
  },
  { name: 'firstName', rule: line(100), sample: 'Sample' },
  { name: 'lastName', rule: line(100), sample: 'Visitor' },
] as const satisfies readonly { readonly name: string; readonly rule: Rule; readonly sample: string }[];

export type FieldName = (typeof contactFields)[number]['name'];

export const fieldNames: readonly FieldName[] = contactFields.map(({ name }) => name);

/** A contact request with a sample in every field. */
export const sampleFields: Readonly<Record<string, string>> = Object.fromEntries(
  contactFields.map(({ name, sample }) => [name, sample]),
);

/** What a visitor sends, and the name of the form. */
export type ContactFields = Readonly<Partial<Record<FieldName, string>>> & {
  readonly extra?: Extra;
  readonly form?: string;
};

/** Stored contact requests are read as they are, even if a rule has changed since. */
const storedText = v.exactOptional(v.string());

/** A stored contact request. Its fields are the columns of CSV files, in this order. */
export const storedContact = v.object({
  /** A UUID. */
  id: v.string(),
  /** RFC 3339, UTC, milliseconds. */
  createdAt: v.string(),
  ...v.entriesFromList(fieldNames, storedText),
  /** The origin of the page that posted. */
  site: storedText,
  /** The name of the form that posted. */
  form: storedText,
  /** When staff released it from spam, in the same format. */
  releasedAt: storedText,
  extra: v.exactOptional(storedExtra),
});

export type Contact = Readonly<v.InferOutput<typeof storedContact>>;

export type ContactInput =
  | { readonly success: true; readonly fields: ContactFields }
  | { readonly success: false; readonly faults: readonly Fault[] };

/** A requirement that either of two fields meets. */
export const emailOrPhone = 'email|phone';

/** The required fields of a form without settings of its own. */
export const defaultRequired: readonly string[] = ['message', emailOrPhone];

/** The field that holds the email address: `email`, or `_replyto` if `email` is missing. */
export const emailFieldIn = (sent: BodyFields): string => {
  const names = ['email', ...formFields.email];
  return names.find((name) => !isBlank(sent.get(name))) ?? names.find((name) => sent.has(name)) ?? 'email';
};

/** The faults of required fields that are missing. */
const missingIn = (sent: BodyFields, required: readonly string[]): Fault[] => {
  const isMissing = (name: string) => [sent.get(name)].flat().every(isBlank);
  return required.flatMap((requirement): Fault[] => {
    if (requirement !== emailOrPhone) return isMissing(requirement) ? [{ field: requirement, code: 'required' }] : [];
    const isMet = !isMissing('email') || !isMissing('phone');
    return isMet ? [] : [{ field: 'email', code: 'required', alternative: 'phone' }];
  });
};

/**
 * Validates the fields that a visitor sent. Each field has at most one fault, in the order of the six, then of `required`.
 * @param others the extra fields
 * @param required names of fields, and `emailOrPhone`
 */
export const parseContactFields = (
  body: BodyFields,
  others: readonly (readonly [name: string, value: unknown])[],
  required: readonly string[],
): ContactInput => {
  const emailField = emailFieldIn(body);
  const sent = new Map(body).set('email', body.get(emailField));
  const fields: Partial<Record<FieldName, string>> = {};
  const found = missingIn(sent, required);
  for (const { name, rule } of contactFields) {
    const value = sent.get(name);
    if (isBlank(value)) continue;
    const parsed = rule(value);
    if ('fault' in parsed) found.push({ field: name, ...parsed.fault });
    else fields[name] = parsed.value;
  }
  const { extra, faults: faultsOfExtra } = parseExtra(others);
  if (found.length + faultsOfExtra.length === 0)
    return { success: true, fields: { ...fields, ...(extra && { extra }) } };
  const ordered = [...new Set([...fieldNames, ...required])].flatMap(
    (name) => found.find(({ field }) => field === name) ?? [],
  );
  const asSent = (fault: Fault) => (fault.field === 'email' ? { ...fault, field: emailField } : fault);
  return { success: false, faults: [...ordered.map(asSent), ...faultsOfExtra] };
};
