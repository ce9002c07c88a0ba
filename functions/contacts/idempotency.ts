import { createHash } from 'node:crypto';
import type { BodyFields } from '../http/body.ts';
import type { Fault } from '../http/errors.ts';
import { isPlainForm } from '../http/media-types.ts';
import type { HttpRequest } from '../http/request.ts';
import { isBlank } from '../shared/text.ts';
import type { ContactFields } from './contact.ts';

const byName = (fields: Readonly<Record<string, unknown>>): [name: string, value: unknown][] =>
  Object.keys(fields)
    .sort()
    .map((name) => [name, fields[name]]);

/** The fields that are present, by name. */
const present = ({ extra, ...fields }: ContactFields) => byName({ ...fields, ...(extra && { extra: byName(extra) }) });

/**
 * The hash by which a content is known again. That a content is marked as spam is no part of it, so that no answer to a
 * repeated Idempotency-Key tells a bot that it was caught.
 */
export const contentHash = (fields: ContactFields): string =>
  createHash('sha256')
    .update(JSON.stringify(present(fields)))
    .digest('base64url');

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
