import type { BodyFields } from '../http/body.ts';
import type { FieldError } from '../http/errors.ts';
import type { HttpRequest } from '../http/request.ts';
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
