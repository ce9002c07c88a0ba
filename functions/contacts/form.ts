import type { BodyFields } from '../http/form-fields.ts';
import { fieldNames } from './contact.ts';
import { keyField } from './idempotency-key.ts';
import { isBlank } from './text.ts';

const knownNames: ReadonlySet<string> = new Set([...fieldNames, keyField]);

/** The fields that a contact request has no place of its own for. */
export const otherFields = (sent: BodyFields, honeypotFields: readonly string[]): [name: string, value: unknown][] =>
  [...sent].filter(([name]) => !honeypotFields.includes(name) && !knownNames.has(name));

const isUnfilled = (value: unknown): boolean => isBlank(value) || value === false;

/** Whether something was written into a honeypot field, which people do not see; a form may send it more than once. */
export const isFilled = (value: unknown): boolean =>
  !(Array.isArray(value) ? value.every(isUnfilled) : isUnfilled(value));
