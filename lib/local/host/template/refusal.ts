import * as v from 'valibot';

/**
 * Ends the start: the template holds what the local host would not serve as AWS does.
 * @param where the resource, output or file at fault
 */
export const refuse = (where: string, what: string): never => {
  throw new Error(`The local host cannot serve ${where}: ${what}`);
};

const describe = (issue: v.BaseIssue<unknown>): string => {
  const path = v.getDotPath(issue);
  return issue.expected === 'never' ? `${path} is not supported` : [path, issue.message].filter(Boolean).join(': ');
};

/** Parses a part of the template; refuses it with the first fault's property and value. */
export const parseOrRefuse = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  where: string,
): Output => {
  const result = v.safeParse(schema, value, { abortEarly: true });
  return result.success ? result.output : refuse(where, describe(result.issues[0]));
};
