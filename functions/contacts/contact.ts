import * as v from 'valibot';
import type { FaultDetail } from '../http/errors.ts';
import { storedExtra } from './extra.ts';
import { line, multilineText } from './text.ts';

/**
 * interface.md (section 2) does not show the name of the first field of the body. This is our name for it, and the one
 * place that gives it (but for the hashes of version 1, which hold it as it was).
 */
export const firstField = 'email';

const phoneCharacters = /^[0-9+()\-./ x#]*$/;

/** A field by the rule for what is sent. What is stored is read as it is, whatever today's rule says. */
const optional = <const Rule extends v.GenericSchema<string>>(rule: Rule) => ({
  sent: v.exactOptional(rule),
  stored: v.exactOptional(v.string()),
});

const required = <const Rule extends v.GenericSchema<string>>(rule: Rule, missing: string) => ({
  sent: v.optional(v.pipe(rule, v.nonEmpty(missing)), ''),
  stored: v.string(),
});

/** The fields of a contact request, a row each, in the order in which they are shown. */
const fields = {
  // The HTML standard's rule (`rfcEmail`), so that what a browser's input accepts is accepted.
  [firstField]: optional(v.pipe(line(254), v.rfcEmail('Enter an email address, such as name@example.com.'))),
  phone: optional(
    v.pipe(
      line(32),
      v.regex(phoneCharacters, 'Use digits, spaces and + ( ) - . / x # only.'),
      v.check((value) => (value.match(/[0-9]/g) ?? []).length >= 3, 'Enter at least 3 digits.'),
    ),
  ),
  company: optional(line(200)),
  message: required(multilineText(5000), 'Enter a message.'),
  firstName: optional(line(100)),
  lastName: optional(line(100)),
};

type Fields = typeof fields;

/** One kind of schema of every field. */
const each = <Kind extends 'sent' | 'stored'>(kind: Kind) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[kind]])) as {
    [Name in keyof Fields]: Fields[Name][Kind];
  };

const sentFields = v.object(each('sent'));

const contactFields = v.pipe(
  sentFields,
  v.forward(
    v.partialCheck(
      [[firstField], ['phone']],
      (contact) => contact[firstField] !== undefined || contact.phone !== undefined,
      'Enter an email address or a phone number, so that you can be answered.',
    ),
    [firstField],
  ),
);

/** What a visitor sends: interface.md, section 2. */
export type ContactFields = v.InferOutput<typeof contactFields>;

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

/** An HTML form sends every blank input as an empty text, so what is blank counts as absent; so does `null`. */
const isPresent = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;

export type ContactInput =
  | { readonly success: true; readonly fields: ContactFields }
  | { readonly success: false; readonly faults: readonly FaultDetail[] };

/** Checks what a visitor sent; each fault names its field, a field has one at most. */
export const parseContactFields = (sent: ReadonlyMap<string, unknown>): ContactInput => {
  const given = Object.fromEntries(
    fieldNames.flatMap((name) => (isPresent(sent.get(name)) ? [[name, sent.get(name)]] : [])),
  );
  const result = v.safeParse(contactFields, given);
  if (result.success) return { success: true, fields: result.output };
  const faults = new Map<string, string>();
  for (const issue of result.issues) {
    const name = v.getDotPath(issue) ?? '';
    if (!faults.has(name)) faults.set(name, issue.message);
  }
  return { success: false, faults: [...faults].map(([field, message]) => ({ field, message })) };
};
