import type { BodyFields } from '../http/form-fields.ts';
import { fieldNames } from './contact.ts';

const knownNames: ReadonlySet<string> = new Set(fieldNames);

/**
 * How many fields a contact request does not have. No more of them may be told: a client that sends JSON with the type
 * of a form puts its whole body into a "name".
 */
export const countUnknownFields = (sent: BodyFields, honeypotField: string): number =>
  [...sent.keys()].filter((name) => name !== honeypotField && !knownNames.has(name)).length;

const isBlank = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : value === undefined || value === null || value === false;

/** Whether something was written into the honeypot field, which people do not see; a form may send it more than once. */
export const isFilled = (value: unknown): boolean => !(Array.isArray(value) ? value.every(isBlank) : isBlank(value));
