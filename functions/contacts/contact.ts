import * as v from 'valibot';
import type { ValueError } from '../http/errors.ts';
import { line, multilineText, type Parsed } from '../shared/text.ts';
import { storedExtra } from './extra.ts';

type Rule = (value: unknown) => Parsed<string, ValueError>;

/** The rule of a text that must also match a pattern. */
const matching = (rule: Rule, pattern: RegExp, code: 'invalid_email' | 'invalid_phone'): Rule => {
  return (value) => {
    const text = rule(value);
    return 'error' in text || pattern.test(text.value) ? text : { error: { code } };
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
  /** The id or the name of the campaign that the form names. Nobody looked it up. */
  campaign: storedText,
  /** When staff released it from spam, in the same format. */
  releasedAt: storedText,
  extra: v.exactOptional(storedExtra),
});

export type Contact = Readonly<v.InferOutput<typeof storedContact>>;

/** What a visitor sends, and what the form says of itself. The service sets the other fields. */
export const contentNames = [...fieldNames, 'form', 'campaign', 'extra'] as const;

export type ContactFields = Pick<Contact, (typeof contentNames)[number]>;

/** Why a contact request was marked as spam, by the defences in their order. Only staff may learn it. */
export const spamReasons = ['trap', 'no trap', 'no proof', 'captcha'] as const;

export type SpamReason = (typeof spamReasons)[number];

/**
 * A stored contact request as staff see it. Nobody else may learn why it was marked as spam. A release removes the reason.
 */
export const staffContact = v.object({ ...storedContact.entries, spamReason: storedText });

export type StaffContact = Readonly<v.InferOutput<typeof staffContact>>;
