import { createHash } from 'node:crypto';
import type { ContactFields } from './contact.ts';

const hash = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('base64url');

const byName = (fields: Readonly<Record<string, unknown>>): [name: string, value: unknown][] =>
  Object.keys(fields)
    .sort()
    .map((name) => [name, fields[name]]);

/** The fields that are present, by name: a field that the service comes to know later changes no hash. */
const present = ({ extra, ...fields }: ContactFields) => byName({ ...fields, ...(extra && { extra: byName(extra) }) });

/**
 * The hash by which a content is known again, with the version of its rule before it. That a content is marked as spam is
 * no part of it, so that no answer to a repeated Idempotency-Key tells a bot that it was caught.
 */
export const contentHash = (fields: ContactFields): string => `2:${hash(present(fields))}`;

/** The fields of version 1, which had a place for each of them, `null` when absent, and one for the mark of spam. */
const fieldsOfVersion1 = ['email', 'phone', 'company', 'message', 'firstName', 'lastName'];

const isHashOfVersion1 = (stored: string | undefined, fields: ContactFields): boolean => {
  const given = new Map(present(fields));
  const places = fieldsOfVersion1.map((name) => given.get(name) ?? null);
  return (
    [...given.keys()].every((name) => fieldsOfVersion1.includes(name)) &&
    [false, true].some((spam) => stored === hash([...places, spam]))
  );
};

/** Whether a stored hash, of whichever version, is that of a content. */
export const isHashOf = (stored: string | undefined, fields: ContactFields): boolean =>
  stored === contentHash(fields) || isHashOfVersion1(stored, fields);
