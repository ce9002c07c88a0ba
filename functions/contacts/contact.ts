import * as v from 'valibot';
import { storedFiles } from '../files/file.ts';
import type { ValueError } from '../http/errors.ts';
import { isExact, line, multilineText, type Parsed } from '../shared/text.ts';
import { storedExtra } from './extra.ts';

type Rule = (value: unknown) => Parsed<string, ValueError>;

/** Numbers become text. */
const asText = (value: unknown) => (typeof value === 'number' && isExact(value) ? String(value) : value);

const beyondAscii = /[^\0-\x7f]/;

/** V8 checks a literal while it reads the bundle, which would load Unicode's tables at each start. Few requests need them. */
const unicode = (pattern: string) => new RegExp(pattern, 'gu');

/** A label of the DNS has at most 63 characters. To write a longer one in ASCII takes quadratic time. */
const longLabel = /[^.\u3002]{64}/;

/** Format characters: address books surround numbers and addresses with invisible marks of direction. */
const withoutMarks = (value: unknown) =>
  typeof value === 'string' && value.length <= maxMarked && beyondAscii.test(value)
    ? value.replaceAll(unicode('\\p{Cf}'), '')
    : value;

/** UTF-16 code units: no address or number has as many marks. */
const maxMarked = 4096;

/** An international domain as ASCII, as the DNS has it: `xn--mnchen-3ya.de`. */
const withAsciiDomain = (address: string): string => {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at === -1 || !beyondAscii.test(domain) || longLabel.test(domain)) return address;
  if (!unicode('^[\\p{L}\\p{M}\\p{N}.\\u3002-]+$').test(domain)) return address;
  const ascii = URL.parse(`http://${domain}`)?.hostname ?? '';
  // To a URL, a number in other digits is an IPv4 address.
  return /[a-z]/.test(ascii) ? `${address.slice(0, at)}@${ascii}` : address;
};

/** The HTML standard's rule: what a browser's input accepts is accepted here. */
export const email: Rule = (value) => {
  const text = line(254)(withoutMarks(asText(value)));
  if ('error' in text) return text;
  // Chinese and Japanese keyboards write `＠` and full-width letters.
  const address = withAsciiDomain(beyondAscii.test(text.value) ? text.value.normalize('NFKC') : text.value);
  return address.length <= 254 && v.RFC_EMAIL_REGEX.test(address)
    ? { value: address }
    : { error: { code: 'invalid_email' } };
};

/** The digits that were read. Unicode has some hundred. */
const knownDigits = new Map<string, string>();

/** The value of a decimal digit of any script: Unicode has each script's ten in a row. */
const asciiDigit = (digit: string): string => {
  const known = knownDigits.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0) ?? 0;
  const isDigit = (point: number) => unicode('^\\p{Nd}$').test(String.fromCodePoint(point));
  let value = 0;
  while (value < 9 && isDigit(code - value - 1)) value += 1;
  knownDigits.set(digit, String(value));
  return String(value);
};

/** Digits of any script and dashes of any kind, as they are dialled. */
export const dialled = (text: string): string =>
  beyondAscii.test(text)
    ? text
        .normalize('NFKC')
        .replaceAll(unicode('[^\\P{Nd}0-9]'), asciiDigit)
        .replaceAll(unicode('[\\p{Pd}\\u2212]'), '-')
        .replaceAll(unicode('\\p{Zs}'), ' ')
    : text;

/** What people write, with at least three digits: `020 7946 0958 ext. 12`, two numbers. */
const phone: Rule = (value) => {
  const text = line(64)(withoutMarks(asText(value)));
  if ('error' in text) return text;
  const number = dialled(text.value);
  if ([...number].length > 64) return { error: { code: 'too_long', limit: 64 } };
  return /(?:\d\D*){3}/.test(number) ? { value: number } : { error: { code: 'invalid_phone' } };
};

const asTextFirst =
  (rule: Rule): Rule =>
  (value) =>
    rule(asText(value));

/**
 * The fields that a visitor fills in (interface.md, section 2), in display order, each with its rule and a sample.
 * interface.md leaves the name of the first one open: here it is `email`.
 */
export const contactFields = [
  { name: 'email', rule: email, sample: 'visitor@example.com' },
  { name: 'phone', rule: phone, sample: '+1 202 555 0142' },
  { name: 'company', rule: asTextFirst(line(200)), sample: 'Example Company' },
  {
    name: 'message',
    rule: asTextFirst(multilineText(5000)),
    sample: 'This is a test: contact requests arrive here.\nNobody wrote it, and it is not stored.',
  },
  { name: 'firstName', rule: asTextFirst(line(100)), sample: 'Sample' },
  { name: 'lastName', rule: asTextFirst(line(100)), sample: 'Visitor' },
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
  /** What came as files. Their contents are in the bucket: ../files/file.ts. */
  files: v.exactOptional(storedFiles),
});

export type Contact = Readonly<v.InferOutput<typeof storedContact>>;

/** What a visitor sends, and what the form says of itself. The service sets the other fields. */
export const contentNames = [...fieldNames, 'form', 'campaign', 'extra'] as const;

export type ContactFields = Pick<Contact, (typeof contentNames)[number]>;

/** The mark that staff make, and not a defence. */
export const staffMark = 'staff';

/** The marks of spam, in their order: why a contact request bears one, and how the inbox says it. Only staff may learn it. */
export const spamMarks = [
  { reason: 'trap', meaning: 'the hidden field was filled in' },
  { reason: 'no trap', meaning: 'the form came without the hidden field' },
  { reason: 'no proof', meaning: 'the proof of work was missing or wrong' },
  { reason: 'sender', meaning: 'the address is on your list' },
  { reason: 'links', meaning: 'there are more links than you allow' },
  { reason: 'words', meaning: 'there is a word of your list' },
  { reason: 'captcha', meaning: 'the captcha was not solved, or its provider refused it' },
  { reason: staffMark, meaning: 'your staff marked it' },
] as const satisfies readonly { readonly reason: string; readonly meaning: string }[];

export type SpamReason = (typeof spamMarks)[number]['reason'];

export const spamReasons: readonly SpamReason[] = spamMarks.map(({ reason }) => reason);

/** What only staff may learn of a stored contact request. */
const forStaff = {
  /** Why it is marked as spam. A release removes the reason. */
  spamReason: storedText,
  /** When staff noted that somebody has answered it: RFC 3339, UTC, milliseconds. */
  answeredAt: storedText,
  /** Who noted it: the name of a token. */
  answeredBy: storedText,
};

/** A stored contact request as staff see it. */
export const staffContact = v.object({ ...storedContact.entries, ...forStaff });

export type StaffContact = Readonly<v.InferOutput<typeof staffContact>>;
