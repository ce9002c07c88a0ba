import { createHash } from 'node:crypto';
import { prefers } from '../http/accept.ts';
import type { HttpRequest } from '../http/request.ts';
import type { ContactFields } from './contact.ts';

const minute = 60_000;

/**
 * Stands in for the `Idempotency-Key` that a plain form cannot send: a double click, which browsers send twice, and a
 * reload of the answer are one contact request (docs/decisions/0008). No key of a visitor's own holds a space.
 */
export const plainFormKey = (
  request: HttpRequest,
  fields: ContactFields,
  spam: boolean,
  createdAt: Date,
): string | undefined => {
  if (!prefers(request, 'text/html')) return undefined;
  const content = createHash('sha256')
    .update(JSON.stringify([fields, spam]))
    .digest('base64url');
  return `plain form ${Math.floor(createdAt.getTime() / minute)} ${content}`;
};
