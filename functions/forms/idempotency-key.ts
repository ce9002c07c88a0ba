import type { ContactFields, SpamReason } from '../contacts/contact.ts';
import { contentHash } from '../contacts/contact-store.ts';
import type { BodyFields } from '../http/body.ts';
import type { FieldError } from '../http/errors.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Visitor } from '../pages/visitor.ts';
import { isBlank } from '../shared/text.ts';

/** A body field that replaces the header if that is missing, so that a script's form data need no preflight. */
export const keyField = 'idempotency-key';

/** 1 to 255 visible ASCII characters. */
const keyPattern = /^[\x21-\x7e]{1,255}$/;

export interface SentKey {
  /** The name of the header or the field. */
  readonly name: string;
  /** Absent if missing or invalid. */
  readonly value?: string;
  readonly errors: readonly FieldError[];
}

/** Reads the `Idempotency-Key` of a request. */
export const readSentKey = ({ headers }: HttpRequest, sent: BodyFields): SentKey => {
  const header = headers.get('idempotency-key');
  const field = sent.get(keyField);
  const name = header === undefined ? keyField : 'Idempotency-Key';
  if (header === undefined && isBlank(field)) return { name, errors: [] };
  const value = header ?? (typeof field === 'string' ? field.trim() : '');
  return keyPattern.test(value)
    ? { name, value, errors: [] }
    : { name, errors: [{ field: name, code: 'invalid_idempotency_key', limit: 255 }] };
};

/** What can be sent again. */
interface Sent {
  readonly sentKey: SentKey;
  readonly visitor: Visitor;
  readonly fields: ContactFields;
  readonly files?: { readonly hash: string } | undefined;
}

/**
 * Identifies what a visitor sends, if they send it again: by the client's key or, of a plain form, which can send none, by its
 * content. Two people can give the same answer to a poll, so a form without an address or a number has none. It holds a space,
 * so no client's key can equal it.
 */
export const retryKeyOf = ({ sentKey, visitor: { wantsPage, site }, fields, files }: Sent): string | undefined => {
  if (sentKey.value !== undefined) return sentKey.value;
  if (!wantsPage || (fields.email ?? fields.phone) === undefined) return undefined;
  return ['plain form', site?.origin, contentHash(fields), ...(files ? [files.hash] : [])].join(' ');
};

const hour = 3_600_000;

/**
 * The key under which a contact request is stored once: of a plain form, once an hour. Browsers send it again after a second
 * press, and phones when they restore a tab. What a defence caught has another one, or a stranger could send a form that is easy
 * to guess, with a filled trap, and the visitor's own would count as a repeat. The client's key stays as it is, because a
 * response that depends on the mark would show a bot that it was caught; pages show no id.
 */
export const storageKeyOf = (
  sent: Sent & { readonly receivedAt: Date },
  spam: SpamReason | false,
): string | undefined => {
  const retryKey = retryKeyOf(sent);
  if (retryKey === undefined || sent.sentKey.value !== undefined) return retryKey;
  const hours = Math.floor(sent.receivedAt.getTime() / hour);
  return [retryKey, hours, ...(spam ? ['caught'] : [])].join(' ');
};
