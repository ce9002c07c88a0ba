import * as v from 'valibot';
import { fieldNames, spamReasons } from '../../functions/contacts/contact.ts';

const text = v.exactOptional(v.string());
const time = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));

/** A contact request in a response to staff: exactly these fields, which openapi.yaml names, too. */
export const contactSchema = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  createdAt: time,
  ...v.entriesFromList(fieldNames, text),
  extra: v.exactOptional(v.record(v.string(), v.union([v.string(), v.array(v.string())]))),
  site: text,
  form: text,
  campaign: text,
  files: v.exactOptional(
    v.array(v.strictObject({ name: v.string(), type: v.string(), size: v.number(), state: text, url: text })),
  ),
  releasedAt: v.exactOptional(time),
  spamReason: v.exactOptional(v.picklist(spamReasons)),
  answeredAt: v.exactOptional(time),
  answeredBy: text,
});

const sentFields = v.omit(contactSchema, ['releasedAt', 'spamReason', 'answeredAt', 'answeredBy']).entries;

/**
 * What a submission of it gets: only this response has `success`, and nothing in it says what became of the contact request. Parsed to
 * the contact request.
 */
export const createdContact = v.pipe(
  v.strictObject({ ...sentFields, success: v.literal(true) }),
  v.transform(({ success: _, ...contact }) => contact),
);

export type Contact = v.InferOutput<typeof contactSchema>;

export const contactList = v.array(contactSchema);
