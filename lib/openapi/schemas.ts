import * as v from 'valibot';
import { type Campaign, campaignItem } from '../../functions/campaigns/campaign.ts';
import { type Contact, type FieldName, sentFields, storedContact } from '../../functions/contacts/contact.ts';
import { extraName, extraText, extraValue, sentExtra } from '../../functions/contacts/extra.ts';
import { codesWithLimit, faultCodes, parameterFaultCodes, reasonPhrases } from '../../functions/http/errors.ts';
import { type JsonSchema, jsonSchemaOf, nothing } from './json-schema.ts';

type Described<Name extends string> = Readonly<Record<Name, JsonSchema>>;

const uuid: JsonSchema = { format: 'uuid', examples: ['5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11'] };
const time: JsonSchema = { format: 'date-time', examples: ['2026-03-01T12:00:00.000Z'] };

/** What a contact request's field is, beyond its rule. */
const fields: Described<FieldName> = {
  email: { description: 'An address, by the rule of `<input type="email">`.', examples: ['ada@example.com'] },
  phone: {
    description: 'At least 3 digits, and besides digits only spaces and `+ ( ) - . / x #`.',
    examples: ['+1 555 0100'],
  },
  company: { description: 'One line.', examples: ['Analytical Engines'] },
  message: { description: 'Line breaks and tabs are kept.', examples: ['Hello!\nDo you ship to Malta?'] },
  firstName: { description: 'One line.', examples: ['Ada'] },
  lastName: { description: 'One line.', examples: ['Lovelace'] },
};

/** What the service gives a contact request, and what it keeps of other fields. */
const given: Described<Exclude<keyof Contact, FieldName>> = {
  id: uuid,
  createdAt: { ...time, description: 'When it was stored, in UTC.' },
  site: {
    description: "The origin of the page that posted, when it is one of the environment's sites.",
    examples: ['https://www.example.com'],
  },
  releasedAt: {
    ...time,
    description: 'When it was released from spam, if it was: then its place in the list is here.',
  },
  extra: {
    description: 'Every other field that the form sent, by its name: a text, or a list of texts. Absent without any.',
    examples: [{ topic: 'An order', colours: ['red', 'blue'] }],
  },
};

const campaign: Described<keyof Campaign> = { id: uuid, name: { examples: ['Spring sale'] } };

/** Without the default that a schema uses to find out what is missing. */
const withoutDefault = ({ default: _, ...schema }: JsonSchema): JsonSchema => schema;

/** An object by its valibot entries; required is what the entry itself misses. */
const objectOf = <Name extends string>(
  entries: Readonly<Record<Name, v.GenericSchema>>,
  described: Described<Name>,
  converted: Partial<Described<Name>> = {},
): JsonSchema => {
  const names = Object.keys(entries).filter((name): name is Name => name in entries);
  return {
    type: 'object',
    required: names.filter((name) => !v.is(v.object({ [name]: entries[name] }), {})),
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        { ...(converted[name] ?? withoutDefault(jsonSchemaOf(entries[name]))), ...described[name] },
      ]),
    ),
  };
};

/** What a further field may hold: a text by its rule, or what becomes one. */
const furtherValues = (jsonSchemaOf(sentExtra, { typeMode: 'input' }).anyOf ?? []).map((kind) =>
  typeof kind === 'object' && kind.type === 'string' ? jsonSchemaOf(extraText) : kind,
);

/** A condition, which generators pass over. */
const when = (condition: JsonSchema, consequence: JsonSchema) => ({
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's name
  then: consequence,
});

const phrases: string[] = Object.values(reasonPhrases);

/** The named schemas, of which generators make types. */
export const schemas = {
  NewContactRequest: {
    ...objectOf(sentFields.entries, fields),
    description:
      'What a visitor sends. `email` or `phone` has to be there, so that they can be answered. Every value is trimmed and brought into Unicode NFC; what is blank or `null` counts as absent. Every further field is kept in `extra`, 50 at most, and 16 KiB of names and values together.',
    // `anyOf` at the root makes generators lose the fields.
    ...when({ properties: { email: nothing } }, { required: ['phone'], properties: { phone: {} } }),
    propertyNames: jsonSchemaOf(extraName),
    additionalProperties: {
      description: 'A further field. Numbers, `true` and `false` are kept as their text; a list as a list of texts.',
      anyOf: [...furtherValues, { type: 'array', items: { anyOf: furtherValues } }],
    },
  },
  ContactRequest: {
    ...objectOf(
      storedContact.entries,
      { ...fields, ...given },
      { extra: jsonSchemaOf(v.record(v.string(), extraValue)) },
    ),
    description: 'A contact request as it is stored. A field that is absent is left out.',
  },
  Campaign: { ...objectOf(campaignItem.entries, campaign), description: 'A campaign.' },
  ServiceError: {
    type: 'object',
    description: "Every error. `error` is the reason phrase of the answer's status; 400 and 422 may have `details`.",
    required: ['error'],
    properties: {
      error: { type: 'string', enum: phrases },
      details: {
        type: 'array',
        description: 'Every fault at once, at most one a field.',
        items: { $ref: '#/components/schemas/Fault' },
      },
    },
  },
  Fault: {
    type: 'object',
    description: 'What is wrong with a field, a header, a query parameter or the `body` as a whole.',
    required: ['field', 'code', 'message'],
    properties: {
      field: { type: 'string', examples: ['company'] },
      code: {
        type: 'string',
        description: 'Stable: a program may go by it, and a page may say it in its own words.',
        enum: [...faultCodes, ...parameterFaultCodes],
      },
      limit: {
        type: 'integer',
        description: `The bound of ${codesWithLimit.map((code) => `\`${code}\``).join(', ')}.`,
      },
      message: {
        type: 'string',
        minLength: 1,
        description: "What to do about it, in a sentence: in the site's language for a visitor, in English for staff.",
      },
    },
    ...when(
      { properties: { code: { enum: [...codesWithLimit] } }, additionalProperties: true },
      { required: ['limit'], properties: { limit: {} }, additionalProperties: true },
    ),
    else: { properties: { limit: nothing }, additionalProperties: true },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export type SchemaName = keyof typeof schemas;

export const schemaRef = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });
