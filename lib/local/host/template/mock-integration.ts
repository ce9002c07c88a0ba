import * as v from 'valibot';
import { parse } from 'velocityjs';
import { statusCodeSchema } from './properties.ts';

const understands = (template: string): boolean => {
  const references = template.match(/\$!?\{?(?:input|util|stageVariables)\b(?:\.\w+)?/g) ?? [];
  if (references.some((reference) => !reference.endsWith('input.params'))) return false;
  try {
    return parse(template).length >= 0;
  } catch {
    return false;
  }
};

/** A mapping template, whose only data are `$input.params(name)` and `$context`. */
const mappingTemplates = v.strictObject({
  'application/json': v.optional(
    v.pipe(
      v.string(),
      v.check(understands, ({ input }) => `"${input}" is no mapping template that is supported`),
    ),
  ),
});

/** A MOCK integration whose templates can be rendered here. */
export const mockIntegrationSchema = v.strictObject({
  IntegrationResponses: v.array(
    v.strictObject({
      ResponseParameters: v.optional(
        v.record(
          v.pipe(v.string(), v.regex(/^method\.response\.header\.[\w-]+$/)),
          v.pipe(v.string(), v.regex(/^'[^']*'$/)),
        ),
        {},
      ),
      ResponseTemplates: v.optional(mappingTemplates, {}),
      SelectionPattern: v.optional(v.string()),
      StatusCode: statusCodeSchema,
    }),
  ),
  PassthroughBehavior: v.optional(v.picklist(['NEVER', 'WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES']), 'WHEN_NO_MATCH'),
  RequestTemplates: v.optional(mappingTemplates, {}),
  Type: v.literal('MOCK'),
});

/** An integration that answers from its templates alone. */
export type MockIntegration = v.InferOutput<typeof mockIntegrationSchema>;
