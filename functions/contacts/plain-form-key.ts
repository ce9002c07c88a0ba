import { isPlainForm } from '../http/plain-form.ts';
import type { HttpRequest } from '../http/request.ts';
import type { ContactFields } from './contact.ts';

const minute = 60_000;

/**
 * Stands in for the `Idempotency-Key` that a plain form cannot send: a double click, which browsers send twice, and a
 * reload of the answer are one contact request (docs/decisions/0008). No key of a visitor's own holds a space. The mark of
 * spam is no part of it, so that no id tells a bot that it was caught.
 */
export const plainFormKey = (request: HttpRequest, fields: ContactFields, createdAt: Date): string | undefined => {
  if (!isPlainForm(request)) return undefined;
  return `plain form ${Math.floor(createdAt.getTime() / minute)} ${JSON.stringify(fields)}`;
};
