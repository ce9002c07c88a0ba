import * as v from 'valibot';
import type { Method, RestApi, StaticResponse } from '../template/rest-api.ts';
import { GatewayError } from './gateway-error.ts';
import { groupByName, type Header, type HttpRequest, type HttpResponse, headerOf, mediaType } from './http-message.ts';
import type { AuthorizerContext } from './token-authorizer.ts';

/** API Gateway sends `null` for an empty object. */
const orNull = <Values extends object>(values: Values) => (Object.keys(values).length > 0 ? values : null);

/**
 * The event of a Lambda proxy integration of a REST API. It has only the parts that the service reads.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 * @param authorizer the context from the method's authorizer
 * @param publicUrl where clients reach the API, whatever they or a proxy say; by default, where this client did
 */
export const createProxyEvent = (
  { binaryMediaTypes }: RestApi,
  { resourcePath }: Method,
  pathParameters: Readonly<Record<string, string>>,
  { id, httpMethod, path, query, headers: sentHeaders, body }: HttpRequest,
  authorizer: AuthorizerContext | undefined,
  publicUrl?: URL,
) => {
  const type = mediaType(headerOf(sentHeaders, 'content-type'));
  const isBase64Encoded = body.length > 0 && type !== undefined && binaryMediaTypes.includes(type);
  // These replace what the client sent.
  const ours: readonly Header[] = publicUrl
    ? [
        ['Host', publicUrl.host],
        ['X-Forwarded-Proto', publicUrl.protocol.slice(0, -1)],
      ]
    : [['X-Forwarded-Proto', 'http']];
  const isReplaced = (name: string) => headerOf(ours, name) !== undefined;
  const headers = groupByName([...sentHeaders.filter(([name]) => !isReplaced(name)), ...ours]);
  return {
    resource: resourcePath,
    path,
    httpMethod,
    multiValueHeaders: Object.fromEntries(headers),
    multiValueQueryStringParameters: orNull(Object.fromEntries(groupByName(query))),
    pathParameters: orNull(pathParameters),
    requestContext: { ...(authorizer && { authorizer }), path, extendedRequestId: id },
    body: body.length > 0 ? body.toString(isBase64Encoded ? 'base64' : 'utf8') : null,
    isBase64Encoded,
  };
};

/** A function's response. API Gateway refuses unknown fields. */
const proxyResponseSchema = v.strictObject({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.nullish(v.record(v.string(), v.string()), {}),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(v.string())), {}),
  body: v.nullish(v.string(), ''),
  // The service sends no binary responses.
  isBase64Encoded: v.nullish(v.literal(false)),
});

/**
 * Turns what a function returned into a response.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-output-format
 * @returns the wrong field if the response is malformed
 */
export const readProxyResponse = (payload: unknown): HttpResponse | { readonly malformedAt: string } => {
  const parsed = v.safeParse(proxyResponseSchema, payload);
  if (!parsed.success) return { malformedAt: v.getDotPath(parsed.issues[0]) ?? 'its type' };
  const { statusCode, headers, multiValueHeaders, body } = parsed.output;
  const given: readonly Header[] = [
    ...Object.entries(headers ?? {}),
    ...Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
      values.map((value): Header => [name, value]),
    ),
  ];
  const hasType = headerOf(given, 'content-type') !== undefined;
  return {
    statusCode,
    headers: [...(hasType ? [] : [['Content-Type', 'application/json'] as const]), ...given],
    body: body ?? '',
  };
};

/**
 * The response of a mock integration: its headers, the output of its template, and the headers that the template sets.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-mock-integration.html
 */
export const respondFromMock = async (
  { statusCode = 200, headers, body: template = '' }: StaticResponse,
  { headers: sentHeaders }: HttpRequest,
): Promise<HttpResponse> => {
  const type = mediaType(headerOf(sentHeaders, 'content-type')) ?? 'application/json';
  if (type !== 'application/json') throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
  // The last of several headers with a name counts. Names are case-sensitive.
  const params = () => ({ header: new Map(sentHeaders) });
  const override: { readonly header: Record<string, string> } = { header: {} };
  // velocityjs takes a while to load.
  const { render } = await import('velocityjs');
  const body = render(template, { input: { params }, context: { responseOverride: override } });
  return {
    statusCode,
    headers: [['Content-Type', 'application/json'], ...headers, ...Object.entries(override.header)],
    body,
  };
};
