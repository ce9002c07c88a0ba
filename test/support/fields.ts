import { type ParsedFields, type ParseOptions, parseFields } from '../../functions/forms/fields.ts';

/** Validates the fields of a form in an environment that keeps all of them and insists on none. */
export const parseForm = (fields: object, options: Partial<ParseOptions> = {}): Promise<ParsedFields> =>
  parseFields(Object.entries(fields), { extraFields: 'keep', required: [], ...options });
