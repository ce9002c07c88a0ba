import * as v from 'valibot';
import { parseUuid } from '../shared/uuid.ts';
import { HttpError } from './errors.ts';

/** What browsers send as the `Origin` of a page that hides it: a file, or one in a sandboxed frame or with `no-referrer`. */
export const hiddenOrigin = 'null';

/** A request, as the handlers see it. */
export interface HttpRequest {
  /** API Gateway's extended request id. Clients can choose `requestContext.requestId`, with the header `x-amzn-RequestId`. */
  readonly id: string;
  /** The id of the client's token; undefined on the public endpoint. */
  readonly tokenId: string | undefined;
  /** The name of the client's token. Logs must not hold it: it can name a person. */
  readonly tokenName: string | undefined;
  /** Method and route, such as `GET /api/v1/contact/{id}`, which hold nothing that the client wrote. */
  readonly route: string;
  /** The absolute URL without its query. */
  readonly url: string;
  /** Of the page that sends the request. A hidden one counts as missing. */
  readonly origin: string | undefined;
  /** By lower-case name; a repeated header's values are joined by a comma and a space (RFC 9110, section 5.3). */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly pathParameters: ReadonlyMap<string, string>;
  readonly body: Buffer<ArrayBuffer>;
}

/** An object's entries, with a schema for the values. A record schema would drop keys such as `__proto__`. */
export const entriesOf = <Value extends v.GenericSchema>(value: Value) =>
  v.pipe(
    v.custom<object>((input) => typeof input === 'object' && input !== null),
    v.transform((object): [string, unknown][] => Object.entries(object)),
    v.array(v.tuple([v.string(), value])),
  );

/** API Gateway sends `null` for none. */
const entries = <Value extends v.GenericSchema>(value: Value) => v.nullish(entriesOf(value), {});

/**
 * The used parts of a Lambda proxy event.
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
    extendedRequestId: v.string(),
    path: v.string(),
    authorizer: v.nullish(v.object({ principalId: v.optional(v.string()), tokenName: v.optional(v.string()) })),
  }),
});

/**
 * Parses API Gateway's event.
 * @throws {v.ValiError} if it is not a proxy event
 */
export const parseRequest = (event: unknown): HttpRequest => {
  const { requestContext, ...parsed } = v.parse(eventSchema, event);
  const headers = new Map<string, string>();
  for (const [name, values] of parsed.multiValueHeaders) {
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    const all = earlier === undefined ? values : [earlier, ...values];
    headers.set(key, all.join(', '));
  }
  const origin = headers.get('origin');
  const { principalId, tokenName } = requestContext.authorizer ?? {};
  return {
    id: requestContext.extendedRequestId,
    tokenId: principalId,
    tokenName: tokenName === undefined ? undefined : decodeURIComponent(tokenName),
    route: `${parsed.httpMethod} ${parsed.resource}`,
    url: `${headers.get('x-forwarded-proto') ?? 'https'}://${headers.get('host') ?? ''}${requestContext.path}`,
    origin: origin === hiddenOrigin ? undefined : origin,
    headers,
    query: new Map(parsed.multiValueQueryStringParameters),
    pathParameters: new Map(parsed.pathParameters),
    body: parsed.isBase64Encoded ? Buffer.from(parsed.body, 'base64') : Buffer.from(parsed.body),
  };
};

/**
 * The UUID in the path.
 * @throws {HttpError} 404 if it is not a UUID
 */
export const idOf = ({ pathParameters }: HttpRequest): string => {
  const id = parseUuid(String(pathParameters.get('id')));
  if (id === undefined) throw new HttpError(404);
  return id;
};
