import * as v from 'valibot';
import { broken, type Fault, faultOf } from '../http/errors.ts';
import { isBlank, line, multilineText } from '../shared/text.ts';
import { type Extra, parseExtra, storedExtra } from './extra.ts';

/**
 * interface.md (section 2) does not show the name of the first field of the body. This is our name for it, given to
 * the code in this one place: another would be a new label in each language, and nothing stored would have it.
 */
export const firstField = 'email';

/** Three digits at least, with what people write between them. */
const phoneNumber = /^(?:[+()\-./ x#]*[0-9]){3}[0-9+()\-./ x#]*$/;

/** A field by the rule for what is sent. What is stored is read as it is, whatever today's rule says. */
const optional = <const Rule extends v.GenericSchema<string>>(rule: Rule) => ({
  sent: v.exactOptional(rule),
  stored: v.exactOptional(v.string()),
});

const required = <const Rule extends v.GenericSchema<string>>(rule: Rule) => ({
  sent: v.optional(v.pipe(rule, v.nonEmpty(broken('required'))), ''),
  stored: v.string(),
});

/** The fields of a contact request, a row each, in the order in which they are shown. */
const fields = {
  // The HTML standard's rule (`rfcEmail`), so that what a browser's input accepts is accepted.
  [firstField]: optional(v.pipe(line(254), v.rfcEmail(broken('invalid_email')))),
  phone: optional(v.pipe(line(32), v.regex(phoneNumber, broken('invalid_phone')))),
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
      broken('required'),
    ),
    [firstField],
  ),
);

/** What a visitor sends: interface.md, section 2. */
export type ContactFields = v.InferOutput<typeof contactFields> & { readonly extra?: Extra };

export const fieldNames = v.parse(v.array(v.keyof(sentFields)), Object.keys(fields));

export type FieldName = (typeof fieldNames)[number];

/** A contact request, as it is stored and answered. */
export const storedContact = v.object({
  /** A UUID. */
  id: v.string(),
  /** RFC 3339, UTC, milliseconds. */
  createdAt: v.string(),
  ...each('stored'),
  /** The origin of the page that posted. */
  site: v.exactOptional(v.string()),
  /** When it was released from spam; as `createdAt`. */
  releasedAt: v.exactOptional(v.string()),
  extra: v.exactOptional(storedExtra),
});

export type Contact = Readonly<v.InferOutput<typeof storedContact>>;

export type ContactInput =
  | { readonly success: true; readonly fields: ContactFields }
  | { readonly success: false; readonly faults: readonly Fault[] };

/**
 * Checks what a visitor sent; each fault names its field, a field has one at most.
 * @param others the fields that are kept besides those of a contact request
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
    if (!faults.has(name)) faults.set(name, faultOf(name, issue.message));
  }
  return { success: false, faults: [...faults.values(), ...faultsOfExtra] };
};
