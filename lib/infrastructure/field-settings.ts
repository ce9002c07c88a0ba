import * as v from 'valibot';
import { fieldNames } from '../../functions/contacts/contact.ts';
import { extraName, maxNameLength } from '../../functions/contacts/extra.ts';
import { emailOrPhone } from '../../functions/forms/fields.ts';
import { keyField } from '../../functions/forms/idempotency-key.ts';
import { formFields } from '../../functions/names/service-fields.ts';
import { checked, distinct, errorOfName, settings } from './schemas.ts';

const { traps, subject: subjectFields, campaign: campaignFields, ...others } = formFields;

/** Fields that pages and scripts fill in, not visitors. */
const hiddenFields: readonly string[] = [keyField, ...Object.values(others).flat()];

const campaignNames: readonly string[] = campaignFields;

/** Fields that visitors, pages or scripts fill in. */
export const reservedFields: readonly string[] = [...fieldNames, ...subjectFields, ...campaignFields, ...hiddenFields];

const errorOfFieldName = errorOfName('field', extraName, maxNameLength);

/** A field, or one of two. */
const requiredField = checked((value) => {
  if (value === emailOrPhone) return undefined;
  if (value.includes('|')) return `"${value}" is not one field: write one, or "${emailOrPhone}" for either of these`;
  if (hiddenFields.includes(value)) return `"${value}" is not for visitors: write a field that they fill in`;
  return errorOfFieldName(value);
});

/** The fields on which a form insists; none if the list is empty. */
export const requiredFields = distinct(requiredField, (name) => name, { example: ' of fields, as in ["email"]' });

/** A field that a visitor fills in, and that no defence and no other service takes. */
const sentField = checked((value) => {
  if (campaignNames.includes(value)) return `"${value}" is the campaign: write another field`;
  if (hiddenFields.includes(value)) return `"${value}" is not for visitors: write a field that they fill in`;
  return errorOfFieldName(value);
});

const repeatedIn = (names: readonly string[]) => names.find((name, at) => names.indexOf(name) !== at);

/** The names under which forms send the fields, as in { message: "reqtext" }. */
export const sentFields = v.pipe(
  settings(v.entriesFromList(fieldNames, v.exactOptional(sentField)), ', as in { message: "reqtext" }'),
  v.check(
    (fields) => repeatedIn(Object.values(fields)) === undefined,
    ({ input }) => `has the name "${repeatedIn(Object.values(input))}" twice`,
  ),
);
