import * as v from 'valibot';

/** A property that AWS knows and that changes nothing about how a local request is answered. */
export const noEffect = v.optional(v.unknown());

/** A status code, which CloudFormation writes as text. */
export const statusCodeSchema = v.pipe(v.string(), v.regex(/^[2-5]\d\d$/), v.transform(Number));

const functionUri = /:lambda:path\/2015-03-31\/functions\/(arn:.+)\/invocations$/;

/** The URI under which API Gateway invokes a function; parsed into the function's ARN. */
export const functionUriSchema = v.pipe(
  v.string(),
  v.regex(functionUri),
  v.transform((uri) => functionUri.exec(uri)?.[1] ?? ''),
);
