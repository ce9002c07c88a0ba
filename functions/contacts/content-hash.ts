import { createHash } from 'node:crypto';
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
