import { badRequest } from '../http/errors.ts';
import type { HttpRequest } from '../http/request.ts';

/**
 * The request's `Idempotency-Key`, if it has one.
 * @throws {HttpError} 400 when it is not 1 to 255 visible ASCII characters
 */
export const idempotencyKeyOf = (request: HttpRequest): string | undefined => {
  const key = request.headers.get('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw badRequest({ field: 'Idempotency-Key', message: 'Use 1 to 255 visible ASCII characters, such as a UUID.' });
};
