import * as v from 'valibot';

const oneOrMore = v.union([
  v.pipe(
    v.string(),
    v.transform((item) => [item]),
  ),
  v.array(v.string()),
]);

/** A statement without conditions and `Not…` elements, which are not evaluated here. */
const statementSchema = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
});

/** An IAM policy document, as far as it is evaluated here: what it holds besides is refused. */
export const policySchema = v.object({
  Statement: v.union([
    v.array(statementSchema),
    v.pipe(
      statementSchema,
      v.transform((statement) => [statement]),
    ),
  ]),
});

/** A parsed policy document. */
export type Policy = v.InferOutput<typeof policySchema>;

/** A pattern in which `*` stands for any characters and `?` for one. */
const matches = (pattern: string, text: string): boolean => {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
};

/**
 * Whether a policy lets its holder do an action on a resource: an explicit deny wins over any allow, and what no
 * statement names is denied.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export const evaluatePolicy = (
  { Statement }: Policy,
  action: string,
  resource: string,
): 'allow' | 'explicit deny' | 'implicit deny' => {
  const effects = Statement.filter(
    ({ Action, Resource }) =>
      Action.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      Resource.some((pattern) => matches(pattern, resource)),
  ).map(({ Effect }) => Effect);
  if (effects.includes('Deny')) return 'explicit deny';
  return effects.includes('Allow') ? 'allow' : 'implicit deny';
};
