import * as v from 'valibot';
import { parseUuid } from '../shared/uuid.ts';
import { HttpError } from './errors.ts';

/** A request, as the handlers see it. */
export interface HttpRequest {
  readonly id: string;
  /** Who sent it, by the id of a token; nobody at a public endpoint. */
  readonly tokenId: string | undefined;
  /** The method and the route's path, as in `GET /api/v1/contact/{id}`: without anything that the caller wrote. */
  readonly route: string;
  /** The absolute URL that was asked for, without its query. */
  readonly url: string;
  /** By lower-case name; a repeated header's values are joined by a comma and a space (RFC 9110, section 5.3). */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly pathParameters: ReadonlyMap<string, string>;
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * An object's own entries, each value by a schema: a record schema would drop a key such as `__proto__`, which must be seen
 * to be refused or kept.
 */
export const entriesOf = <Value extends v.GenericSchema>(value: Value) =>
  v.pipe(
    v.custom<object>((input) => typeof input === 'object' && input !== null),
    v.transform((object): [string, unknown][] => Object.entries(object)),
    v.array(v.tuple([v.string(), value])),
  );

/** API Gateway sends `null` where there is none. */
const entries = <Value extends v.GenericSchema>(value: Value) => v.nullish(entriesOf(value), {});

/**
 * The parts that are used of an event of version 1.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
const eventSchema = v.object({
  httpMethod: v.string(),
  resource: v.string(),
  multiValueHeaders: entries(v.array(v.string())),
  multiValueQueryStringParameters: entries(v.array(v.string())),
  pathParameters: entries(v.string()),
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.boolean(),
  requestContext: v.object({
    requestId: v.string(),
    path: v.string(),
    authorizer: v.nullish(v.object({ principalId: v.optional(v.string()) })),
  }),
});

/**
 * Reads API Gateway's event.
 * @throws {v.ValiError} when it is none
 */
export const parseRequest = (event: unknown): HttpRequest => {
  const { requestContext, ...parsed } = v.parse(eventSchema, event);
  const headers = new Map<string, string>();
  for (const [name, values] of parsed.multiValueHeaders) {
    const earlier = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), [...(earlier === undefined ? [] : [earlier]), ...values].join(', '));
  }
  return {
    id: requestContext.requestId,
    tokenId: requestContext.authorizer?.principalId,
    route: `${parsed.httpMethod} ${parsed.resource}`,
    url: `${headers.get('x-forwarded-proto') ?? 'https'}://${headers.get('host') ?? ''}${requestContext.path}`,
    headers,
    query: new Map(parsed.multiValueQueryStringParameters),
    pathParameters: new Map(parsed.pathParameters),
    body: parsed.isBase64Encoded ? Buffer.from(parsed.body, 'base64') : Buffer.from(parsed.body),
  };
};

/**
 * The UUID in the path.
 * @throws {HttpError} 404: what is no UUID names nothing
 */
export const idOf = ({ pathParameters }: HttpRequest): string => {
  const id = parseUuid(String(pathParameters.get('id')));
  if (id === undefined) throw new HttpError(404);
  return id;
};
