import type { BodyFields } from '../http/form-fields.ts';
import { fieldNames } from './contact.ts';

const knownNames: ReadonlySet<string> = new Set(fieldNames);

/** How many names of unknown fields go to the log, and how much of each: a bot's form may have a thousand. */
const [maxNames, maxNameLength] = [20, 64];

/** The names of fields that a contact request does not have, for the log. */
export const unknownFields = (sent: BodyFields, honeypotField: string): string[] =>
  [...sent.keys()]
    .filter((name) => name !== honeypotField && !knownNames.has(name))
    .slice(0, maxNames)
    .map((name) => name.slice(0, maxNameLength));

/** Whether something was written into the honeypot field, which people do not see; it may be there more than once. */
export const isFilled = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(isFilled);
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null && value !== false;
};
