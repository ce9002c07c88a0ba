import * as v from 'valibot';
import { type Fault, faultFromMessage, issueMessage } from '../http/errors.ts';
import { isBlank, line, multilineText } from '../shared/text.ts';
import { type Extra, parseExtra, storedExtra } from './extra.ts';

/**
 * Our name for the first field of the body, which interface.md (section 2) leaves open. Stored contact requests and the
 * labels of each language use it.
 */
export const firstField = 'email';

/** At least three digits, with the usual separators. */
const phoneNumber = /^(?:[+()\-./ x#]*[0-9]){3}[0-9+()\-./ x#]*$/;

/** The rule applies to new contact requests only. Stored ones are read as they are, even if the rule has changed since. */
const optional = <const Rule extends v.GenericSchema<string>>(rule: Rule) => ({
  sent: v.exactOptional(rule),
  stored: v.exactOptional(v.string()),
});

const required = <const Rule extends v.GenericSchema<string>>(rule: Rule) => ({
  sent: v.optional(v.pipe(rule, v.nonEmpty(issueMessage('required'))), ''),
  stored: v.string(),
});

/** The fields of a contact request, in display order. */
const fields = {
  // `rfcEmail` is the HTML standard's rule: what a browser's input accepts is accepted here.
  [firstField]: optional(v.pipe(line(254), v.rfcEmail(issueMessage('invalid_email')))),
  phone: optional(v.pipe(line(32), v.regex(phoneNumber, issueMessage('invalid_phone')))),
  company: optional(line(200)),
  message: required(multilineText(5000)),
  firstName: optional(line(100)),
  lastName: optional(line(100)),
};

type Fields = typeof fields;

/** One kind of schema of every field. */
const each = <Kind extends 'sent' | 'stored'>(kind: Kind) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[kind]])) as {
    [Name in keyof Fields]: Fields[Name][Kind];
  };

export const sentFields = v.object(each('sent'));

const contactFields = v.pipe(
  sentFields,
  v.forward(
    v.partialCheck(
      [[firstField], ['phone']],
      (contact) => contact[firstField] !== undefined || contact.phone !== undefined,
      issueMessage('required'),
    ),
    [firstField],
  ),
);

/** The fields that a visitor sends: interface.md, section 2. */
export type ContactFields = v.InferOutput<typeof contactFields> & { readonly extra?: Extra };

export const fieldNames = v.parse(v.array(v.keyof(sentFields)), Object.keys(fields));

export type FieldName = (typeof fieldNames)[number];

/** A stored contact request. */
export const storedContact = v.object({
  /** A UUID. */
  id: v.string(),
  /** RFC 3339, UTC, milliseconds. */
  createdAt: v.string(),
  ...each('stored'),
  /** The origin of the page that posted. */
  site: v.exactOptional(v.string()),
  /** When staff released it from spam, in the same format. */
  releasedAt: v.exactOptional(v.string()),
  extra: v.exactOptional(storedExtra),
});

export type Contact = Readonly<v.InferOutput<typeof storedContact>>;

export type ContactInput =
  | { readonly success: true; readonly fields: ContactFields }
  | { readonly success: false; readonly faults: readonly Fault[] };

/**
 * Validates the fields that a visitor sent. A field has at most one fault.
 * @param others the extra fields
 */
export const parseContactFields = (
  sent: ReadonlyMap<string, unknown>,
  others: readonly (readonly [name: string, value: unknown])[],
): ContactInput => {
  const given = fieldNames.flatMap((name) => (isBlank(sent.get(name)) ? [] : [[name, sent.get(name)] as const]));
  const result = v.safeParse(contactFields, Object.fromEntries(given));
  const { extra, faults: faultsOfExtra } = parseExtra(others);
  if (result.success && faultsOfExtra.length === 0)
    return { success: true, fields: { ...result.output, ...(extra && { extra }) } };
  const faults = new Map<string, Fault>();
  for (const issue of result.issues ?? []) {
    const name = String(v.getDotPath(issue));
    if (!faults.has(name)) faults.set(name, faultFromMessage(name, issue.message));
  }
  return { success: false, faults: [...faults.values(), ...faultsOfExtra] };
};
