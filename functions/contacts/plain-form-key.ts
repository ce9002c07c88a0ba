import { isPlainForm } from '../http/plain-form.ts';
import type { HttpRequest } from '../http/request.ts';
import type { ContactFields } from './contact.ts';
import { contentHash } from './content-hash.ts';

const minute = 60_000;

/**
 * Stands in for the `Idempotency-Key` that a plain form cannot send: a double click, which browsers send twice, and a
 * reload of the answer are one contact request. No key of a visitor's own holds a space. The mark of
 * spam is no part of it, so that no id tells a bot that it was caught.
 */
export const plainFormKey = (
  request: HttpRequest,
  fields: ContactFields,
  site: string | undefined,
  createdAt: Date,
): string | undefined =>
  isPlainForm(request)
    ? ['plain form', Math.floor(createdAt.getTime() / minute), site, contentHash(fields)].join(' ')
    : undefined;
