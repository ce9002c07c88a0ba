// What the service has promised of a contact request (docs/interface.md, docs/api.md), written a second time and
// without a look at functions/: where the two disagree, one of them is wrong.
import type { Create } from './steps.ts';

/** A contact request without what the service gives to it. */
export type Fields = Readonly<Record<string, unknown>>;

const maxBytes = 64 * 1024;

const countCharacters = (text: string) => [...text].length;

/** A character of Unicode's category Cc that is not among those that may stand. */
const hasControl = (text: string, allowed = '') =>
  [...text].some((character) => {
    const code = character.codePointAt(0) ?? 0;
    return (code < 0x20 || (code >= 0x7f && code < 0xa0)) && !allowed.includes(character);
  });

/** https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const isEmail = (text: string) => {
  const [local = '', domain = '', ...more] = text.split('@');
  const isLabel = (label: string) => /^[a-z0-9-]{1,63}$/i.test(label) && !label.startsWith('-') && !label.endsWith('-');
  return more.length === 0 && /^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(local) && domain.split('.').every(isLabel);
};

const isPhone = (text: string) =>
  [...text].every((character) => '0123456789+()-./ x#'.includes(character)) &&
  text.replaceAll(/[^0-9]/g, '').length >= 3;

const isLine = (text: string) => !hasControl(text);

const rules: Readonly<Record<string, { readonly max: number; readonly holds: (text: string) => boolean }>> = {
  email: { max: 254, holds: isEmail },
  phone: { max: 32, holds: isPhone },
  company: { max: 200, holds: isLine },
  message: { max: 5000, holds: (text) => !hasControl(text, '\n\t') },
  firstName: { max: 100, holds: isLine },
  lastName: { max: 100, holds: isLine },
};

/** No more than 30 combining marks in a row, U+034F between them (UAX #15, section 13). */
const breakRows = (text: string) => {
  let row = 0;
  let broken = '';
  for (const character of text) {
    row = /\p{M}/u.test(character) && character !== '\u034f' ? row + 1 : 0;
    if (row > 30) {
      broken += '\u034f';
      row = 1;
    }
    broken += character;
  }
  return broken;
};

/** A text as it is kept. */
const kept = (text: string) => breakRows(text.trim().split('\r\n').join('\n').split('\r').join('\n')).normalize('NFC');

/** What became of a body's fields: what is stored of them, or the names at fault. */
export type Judged = { readonly stored: Fields } | { readonly faults: readonly string[] };

/** The fields that are none of a contact request's own, and yet none of the further ones. */
const [honeypot, keyField] = ['_gotcha', 'idempotency-key'];

const maxFurther = { fields: 50, name: 64, text: 2000, bytes: 16 * 1024 };

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The text that stands for one value of a further field; nothing where it is refused. */
const furtherText = (value: unknown): string | undefined => {
  const isExact =
    typeof value === 'number' && Math.abs(value) <= (value % 1 === 0 ? Number.MAX_SAFE_INTEGER : Infinity);
  if (!(typeof value === 'string' || typeof value === 'boolean' || isExact)) return undefined;
  const text = kept(String(value));
  return text.isWellFormed() && countCharacters(text) <= maxFurther.text && !hasControl(text, '\n\t')
    ? text
    : undefined;
};

const isFurtherName = (name: string) =>
  name !== '' && name.isWellFormed() && countCharacters(name) <= maxFurther.name && !hasControl(name);

/** Judges the fields that are none of the six: they are kept as texts and lists of texts. */
const judgeFurther = (sent: ReadonlyMap<string, unknown>): { extra: Map<string, unknown>; faults: string[] } => {
  const given = [...sent].filter(
    ([name, value]) =>
      !Object.hasOwn(rules, name) &&
      name !== honeypot &&
      name !== keyField &&
      !(Array.isArray(value) ? value.every(isAbsent) : isAbsent(value)),
  );
  const extra = new Map<string, unknown>();
  if (given.length > maxFurther.fields) return { extra, faults: ['body'] };
  const faults = new Set<string>();
  let bytes = 0;
  for (const [name, value] of given) {
    const texts = (Array.isArray(value) ? value.filter((item) => !isAbsent(item)) : [value]).map(furtherText);
    if (!isFurtherName(name) || texts.includes(undefined)) {
      faults.add(name || 'body');
      continue;
    }
    extra.set(name, Array.isArray(value) ? texts : texts[0]);
    bytes += Buffer.byteLength(name + texts.join(''));
  }
  if (bytes > maxFurther.bytes) faults.add('body');
  return { extra, faults: [...faults] };
};

/** Judges what was sent. The one place to change for a field more. */
const judge = (sent: ReadonlyMap<string, unknown>): Judged => {
  const stored: Record<string, unknown> = {};
  const faults = new Set<string>();
  for (const [name, { max, holds }] of Object.entries(rules)) {
    const value = sent.get(name);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string' || !value.isWellFormed()) {
      faults.add(name);
      continue;
    }
    const text = kept(value);
    if (text === '') continue;
    if (countCharacters(text) > max || !holds(text)) faults.add(name);
    else stored[name] = text;
  }
  if (stored['message'] === undefined) faults.add('message');
  if (stored['email'] === undefined && stored['phone'] === undefined && !faults.has('phone')) faults.add('email');
  const further = judgeFurther(sent);
  for (const name of further.faults) faults.add(name);
  if (further.extra.size > 0) stored['extra'] = Object.fromEntries(further.extra);
  return faults.size > 0 ? { faults: [...faults] } : { stored };
};

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

/** Whether what stands in the honeypot field marks a bot; nothing where the contract leaves it open. */
const isSpam = (value: unknown): boolean | undefined => {
  if (value === undefined || value === null || isBlank(value)) return false;
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === 'string' && !isBlank(item))) return true;
    return value.every(isBlank) && value.length > 0 ? false : undefined;
  }
  return value === false ? undefined : true;
};

/** A form escapes three characters of a name, and no percent sign: what looks escaped is read so. */
const asMultipartName = (name: string) =>
  name.toWellFormed().replaceAll(/%0a/gi, '\n').replaceAll(/%0d/gi, '\r').replaceAll('%22', '"');

/** The values of a body by name, as the service has to understand them. */
const valuesOf = ({ type, fields, flaw }: Create): ReadonlyMap<string, unknown> => {
  if (type === 'json') {
    const values = new Map<string, unknown>(fields.map(([name, text]) => [name, JSON.parse(text)]));
    // The gateway decodes a text body: bytes that are no UTF-8 become U+FFFD, and are kept so.
    return flaw === 'bad-utf8' ? values.set('company', 'a\ufffd') : values;
  }
  const all = new Map<string, string[]>();
  for (const [sent, value] of fields) {
    const name = type === 'multipart' ? asMultipartName(sent) : sent.toWellFormed();
    all.set(name, [...(all.get(name) ?? []), value.toWellFormed()]);
  }
  if (flaw === 'bad-utf8' && type === 'urlencoded') all.set('company', [...(all.get('company') ?? []), 'a\ufffd']);
  return new Map([...all].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
};

/** One thing for which a request may be refused. */
export interface Refusal {
  readonly status: number;
  /** What `details` names; nothing: there are none. */
  readonly names?: readonly string[];
}

/** What must become of a post: one of the refusals, in whichever order they are found, else it is stored. */
export type Verdict =
  | { readonly refusals: readonly Refusal[] }
  | { readonly stored: Fields; readonly spam: boolean | undefined };

export const isValidKey = (key: string) => /^[!-~]{1,255}$/.test(key);

/** How many values a body may hold; a JSON text holds one behind each bracket and comma. */
const maxValues = 5000;

const countValues = ({ fields }: Create): number =>
  fields.length +
  fields
    .map(([, json]) => json)
    .join('')
    .replaceAll(/"(?:\\.|[^"\\])*"/g, '')
    .replaceAll(/[^[{,]/g, '').length;

const refusalOfBody = (create: Create): Refusal | undefined => {
  const { type, flaw } = create;
  if (type === 'json' && countValues(create) > maxValues) return { status: 400, names: ['body'] };
  if (type === 'other' || type === 'none' || flaw === 'file') return { status: 415 };
  const broken = flaw === 'bad-utf8' ? type === 'multipart' : flaw !== 'none' && flaw !== 'no-boundary';
  return broken || flaw === 'no-boundary' ? { status: 400, names: ['body'] } : undefined;
};

/** How large a body is for the service: a text comes from the gateway decoded, with U+FFFD for what is no UTF-8. */
const sizeOf = ({ type }: Create, body: Buffer) => (type === 'multipart' ? body : Buffer.from(body.toString())).length;

/** @param body as it is sent */
export const verdictOf = (create: Create, body: Buffer): Verdict => {
  const refusals: Refusal[] = [];
  if (create.origin === 'foreign') refusals.push({ status: 403 });
  if (sizeOf(create, body) > maxBytes) refusals.push({ status: 413 });
  const ofBody = refusalOfBody(create);
  if (ofBody) return { refusals: [...refusals, ofBody] };

  const values = valuesOf(create);
  const judged = judge(values);
  const names = 'faults' in judged ? [...judged.faults] : [];
  const inHeader = create.keyIn === 'header';
  const key = inHeader ? create.key : values.get(keyField);
  const isNone = inHeader ? key === '' : isAbsent(key);
  if (!isNone && !(typeof key === 'string' && isValidKey(inHeader ? key : key.trim())))
    names.push(inHeader ? 'Idempotency-Key' : keyField);
  if (names.length > 0) refusals.push({ status: 400, names });
  if ('faults' in judged || refusals.length > 0) return { refusals };
  return { stored: judged.stored, spam: isSpam(values.get(honeypot)) };
};
