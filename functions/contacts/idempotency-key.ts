import { badRequest } from '../http/errors.ts';
import type { BodyFields } from '../http/form-fields.ts';
import type { HttpRequest } from '../http/request.ts';
import { isBlank } from './text.ts';

/** The field that counts as the header when that is missing: a script's form data need no preflight then. */
export const keyField = 'idempotency-key';

const form = /^[\x21-\x7e]{1,255}$/;

/**
 * The `Idempotency-Key` of a request, if it has one.
 * @throws {HttpError} 400 when it is not 1 to 255 visible ASCII characters
 */
export const idempotencyKeyOf = ({ headers }: HttpRequest, sent: BodyFields): string | undefined => {
  const header = headers.get('idempotency-key');
  const field = sent.get(keyField);
  if (header === undefined && isBlank(field)) return undefined;
  const key = header ?? (typeof field === 'string' ? field.trim() : undefined);
  if (key !== undefined && form.test(key)) return key;
  const name = header === undefined ? keyField : 'Idempotency-Key';
  throw badRequest({ field: name, code: 'invalid_idempotency_key', limit: 255 });
};
