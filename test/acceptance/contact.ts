import * as v from 'valibot';

const text = v.exactOptional(v.string());

/** A contact request as it is answered: these fields and no others. */
export const contactSchema = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  createdAt: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
  email: text,
  phone: text,
  company: text,
  message: v.string(),
  firstName: text,
  lastName: text,
});

export type Contact = v.InferOutput<typeof contactSchema>;

export const contactList = v.array(contactSchema);
