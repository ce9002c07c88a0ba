import type { ContactFields } from '../contacts/contact.ts';
import { contentHash } from '../contacts/contact-store.ts';
import type { BodyFields } from '../http/body.ts';
import type { FieldError } from '../http/errors.ts';
import { isPlainForm } from '../http/media-types.ts';
import type { HttpRequest } from '../http/request.ts';
import { isBlank } from '../shared/text.ts';

/** A body field that replaces the header if that is missing, so that a script's form data need no preflight. */
export const keyField = 'idempotency-key';

/** 1 to 255 visible ASCII characters. */
const keyPattern = /^[\x21-\x7e]{1,255}$/;

export interface RequestKey {
  /** The name of the header or the field. */
  readonly name: string;
  /** Absent if missing or invalid. */
  readonly value?: string;
  readonly errors: readonly FieldError[];
}

/** Reads the `Idempotency-Key` of a request. */
export const readIdempotencyKey = ({ headers }: HttpRequest, sent: BodyFields): RequestKey => {
  const header = headers.get('idempotency-key');
  const field = sent.get(keyField);
  const name = header === undefined ? keyField : 'Idempotency-Key';
  if (header === undefined && isBlank(field)) return { name, errors: [] };
  const value = header ?? (typeof field === 'string' ? field.trim() : '');
  return keyPattern.test(value)
    ? { name, value, errors: [] }
    : { name, errors: [{ field: name, code: 'invalid_idempotency_key', limit: 255 }] };
};

const minute = 60_000;

/**
 * Replaces the `Idempotency-Key` that a plain form cannot send: browsers post twice after a double click or a reload.
 * It holds a space, so no client's key can equal it. It does not depend on the spam mark: otherwise the id could show a bot
 * that it was caught. Without an address or a number there is none, because two people can give the same answer to a poll.
 */
export const plainFormKey = (
  request: HttpRequest,
  fields: ContactFields,
  site: string | undefined,
  createdAt: Date,
): string | undefined =>
  isPlainForm(request) && (fields.email ?? fields.phone) !== undefined
    ? ['plain form', Math.floor(createdAt.getTime() / minute), site, contentHash(fields)].join(' ')
    : undefined;
