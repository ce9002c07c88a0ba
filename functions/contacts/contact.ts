import * as v from 'valibot';
import type { BodyFields } from '../http/body.ts';
import { type Fault, faultFromMessage, issueMessage } from '../http/errors.ts';
import { isBlank, line, multilineText } from '../shared/text.ts';
import { type Extra, parseExtra, storedExtra } from './extra.ts';
import { formFields } from './form-fields.ts';

/**
 * Our name for the first field of the body, which interface.md (section 2) leaves open. Stored contact requests and the
 * labels of each language use it.
 */
export const firstField = 'email';

/** At least three digits, with the usual separators. */
const phoneNumber = /^(?:[+()\-./ x#]*[0-9]){3}[0-9+()\-./ x#]*$/;

/** The rules for the fields of a new contact request, in display order. */
const rules = {
  // `rfcEmail` is the HTML standard's rule: what a browser's input accepts is accepted here.
  [firstField]: v.exactOptional(v.pipe(line(254), v.rfcEmail(issueMessage('invalid_email')))),
  phone: v.exactOptional(v.pipe(line(32), v.regex(phoneNumber, issueMessage('invalid_phone')))),
  company: v.exactOptional(line(200)),
  message: v.exactOptional(multilineText(5000)),
  firstName: v.exactOptional(line(100)),
  lastName: v.exactOptional(line(100)),
};

const contactFields = v.object(rules);

/** What a visitor sends (interface.md, section 2), and the name of the form. */
export type ContactFields = v.InferOutput<typeof contactFields> & { readonly extra?: Extra; readonly form?: string };

export const fieldNames = v.parse(v.array(v.keyof(contactFields)), Object.keys(rules));

export type FieldName = (typeof fieldNames)[number];

/** Stored contact requests are read as they are, even if a rule has changed since. */
const storedText = v.exactOptional(v.string());

/** A stored contact request. */
export const storedContact = v.object({
  /** A UUID. */
  id: v.string(),
  /** RFC 3339, UTC, milliseconds. */
  createdAt: v.string(),
  [firstField]: storedText,
  phone: storedText,
  company: storedText,
  message: storedText,
  firstName: storedText,
  lastName: storedText,
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
export const emailOrPhone = `${firstField}|phone`;

/** The required fields of a form without settings of its own. */
export const defaultRequired: readonly string[] = ['message', emailOrPhone];

/** The field that holds the email address: `email`, or `_replyto` if `email` is missing. */
export const emailFieldIn = (sent: BodyFields): string => {
  const names = [firstField, ...formFields.email];
  return names.find((name) => !isBlank(sent.get(name))) ?? names.find((name) => sent.has(name)) ?? firstField;
};

/** The faults of required fields that are missing. */
const missingIn = (sent: BodyFields, required: readonly string[]): Fault[] => {
  const isMissing = (name: string) => [sent.get(name)].flat().every(isBlank);
  return required.flatMap((requirement): Fault[] => {
    if (requirement !== emailOrPhone) return isMissing(requirement) ? [{ field: requirement, code: 'required' }] : [];
    return [firstField, 'phone'].every(isMissing) ? [{ field: firstField, code: 'required', orPhone: true }] : [];
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
  const sent = new Map(body).set(firstField, body.get(emailField));
  const given = fieldNames.flatMap((name) => (isBlank(sent.get(name)) ? [] : [[name, sent.get(name)] as const]));
  const result = v.safeParse(contactFields, Object.fromEntries(given), { abortPipeEarly: true });
  const { extra, faults: faultsOfExtra } = parseExtra(others);
  const wrong = (result.issues ?? []).map((issue) => faultFromMessage(String(v.getDotPath(issue)), issue.message));
  const found = [...wrong, ...missingIn(sent, required)];
  const faults = [...new Set([...fieldNames, ...required])].flatMap(
    (name) => found.find(({ field }) => field === name) ?? [],
  );
  if (result.success && faults.length + faultsOfExtra.length === 0)
    return { success: true, fields: { ...result.output, ...(extra && { extra }) } };
  const asSent = (fault: Fault) => (fault.field === firstField ? { ...fault, field: emailField } : fault);
  return { success: false, faults: [...faults.map(asSent), ...faultsOfExtra] };
};
