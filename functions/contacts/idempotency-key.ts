import type { Fault } from '../http/faults.ts';
import type { BodyFields } from '../http/form-fields.ts';
import type { HttpRequest } from '../http/request.ts';
import { isBlank } from './text.ts';

/** The field that counts as the header when that is missing: a script's form data need no preflight then. */
export const keyField = 'idempotency-key';

/** 1 to 255 visible ASCII characters. */
export const keyForm = /^[\x21-\x7e]{1,255}$/;

export interface GivenKey {
  /** What it was sent as. */
  readonly name: string;
  /** Absent when none was sent, and when it is none. */
  readonly value?: string;
  readonly faults: readonly Fault[];
}

/** Reads the `Idempotency-Key` of a request, which is at fault when it is not 1 to 255 visible ASCII characters. */
export const readIdempotencyKey = ({ headers }: HttpRequest, sent: BodyFields): GivenKey => {
  const header = headers.get('idempotency-key');
  const field = sent.get(keyField);
  const name = header === undefined ? keyField : 'Idempotency-Key';
  if (header === undefined && isBlank(field)) return { name, faults: [] };
  const value = header ?? (typeof field === 'string' ? field.trim() : '');
  return keyForm.test(value)
    ? { name, value, faults: [] }
    : { name, faults: [{ field: name, code: 'invalid_idempotency_key', limit: 255 }] };
};
