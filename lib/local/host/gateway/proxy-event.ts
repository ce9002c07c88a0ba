import { randomBytes } from 'node:crypto';
import { accountId } from '../template/intrinsics.ts';
import type { RestApi } from '../template/rest-api.ts';
import { groupByName, type Header, type HttpRequest, headerOf, mediaType } from './http-message.ts';
import type { MethodMatch } from './method-finder.ts';
import type { AuthorizerContext } from './token-authorizer.ts';

/** Headers that API Gateway keeps to itself. */
const droppedHeaders = [
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
];

/** Headers that API Gateway sets, whatever the client sent. */
const gatewayHeaders = ({ headers, sourceIp, port, time }: HttpRequest): Header[] => [
  [
    'X-Amzn-Trace-Id',
    headerOf(headers, 'x-amzn-trace-id') ??
      `Root=1-${Math.floor(time / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
  ],
  ['X-Forwarded-For', [headerOf(headers, 'x-forwarded-for'), sourceIp].filter(Boolean).join(', ')],
  ['X-Forwarded-Port', String(port)],
  ['X-Forwarded-Proto', 'http'],
];

const integrationHeaders = (request: HttpRequest): Header[] => {
  const added = gatewayHeaders(request);
  const replaced = new Set([...droppedHeaders, ...added.map(([name]) => name.toLowerCase())]);
  return [...request.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...added];
};

/** The last value of each name. */
const single = (groups: ReadonlyMap<string, readonly string[]>) =>
  Object.fromEntries([...groups].map(([name, values]) => [name, values.at(-1)]));

const orNull = <Values extends object>(values: Values) => (Object.keys(values).length > 0 ? values : null);

/** `04/Mar/2020:19:15:17 +0000` */
const requestTime = (time: number): string => {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
};

/** Whether a body of that type goes to and from a function in base64. */
export const isBinary = (binaryMediaTypes: readonly string[], type: string | undefined): boolean =>
  binaryMediaTypes.includes('*/*') || (type !== undefined && binaryMediaTypes.includes(type));

/** What `createRequestContext` makes. */
export type RequestContext = ReturnType<typeof createRequestContext>;

/**
 * The `requestContext` of a request's event.
 * @param authorizer what the method's authorizer gave; nothing for a method without one
 */
export const createRequestContext = (
  api: RestApi,
  { method }: MethodMatch,
  { id, time, httpMethod, path, headers, protocol, sourceIp }: HttpRequest,
  authorizer: AuthorizerContext | undefined,
) => {
  const domainName = headerOf(headers, 'host') ?? '';
  return {
    accountId,
    apiId: api.id,
    ...(authorizer && { authorizer }),
    domainName,
    domainPrefix: domainName.split('.')[0],
    extendedRequestId: randomBytes(11).toString('base64'),
    httpMethod,
    identity: {
      accessKey: null,
      accountId: null,
      caller: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp,
      user: null,
      userAgent: headerOf(headers, 'user-agent') ?? null,
      userArn: null,
    },
    path,
    protocol,
    requestId: id,
    requestTime: requestTime(time),
    requestTimeEpoch: time,
    resourceId: method.resourceId,
    resourcePath: method.resourcePath,
    stage: api.stage,
  };
};

/**
 * The event of a Lambda proxy integration, as a REST API gives it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 */
export const createProxyEvent = (
  api: RestApi,
  { method, pathParameters }: MethodMatch,
  request: HttpRequest,
  requestContext: RequestContext,
) => {
  const headers = groupByName(integrationHeaders(request));
  const query = groupByName(request.query);
  const isBase64Encoded =
    request.body.length > 0 && isBinary(api.binaryMediaTypes, mediaType(headerOf(request.headers, 'content-type')));
  return {
    resource: method.resourcePath,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: single(headers),
    multiValueHeaders: Object.fromEntries(headers),
    queryStringParameters: orNull(single(query)),
    multiValueQueryStringParameters: orNull(Object.fromEntries(query)),
    pathParameters: orNull(pathParameters),
    stageVariables: api.stageVariables,
    requestContext,
    body: request.body.length > 0 ? request.body.toString(isBase64Encoded ? 'base64' : 'utf8') : null,
    isBase64Encoded,
  };
};
