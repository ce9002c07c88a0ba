import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** The parts of a request that a test sets. */
export interface RequestParts {
  /** The id that API Gateway gives to the request; the client has chosen the other one. */
  readonly requestId?: string;
  /** The id of the client's token. */
  readonly tokenId?: string;
  /** The name of the client's token, if the authorizer gives it. */
  readonly tokenName?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** The event holds bytes in base64. */
  readonly body?: string | Uint8Array;
}

/** A REST API's event has every header and parameter twice: its last value, and the list of its values. */
const bothForms = (pairs: readonly (readonly [name: string, value: string])[]) => {
  const lists = new Map<string, string[]>();
  for (const [name, value] of pairs) lists.set(name, [...(lists.get(name) ?? []), value]);
  return { single: Object.fromEntries(pairs), multi: Object.fromEntries(lists) };
};

const identity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  sourceIp: '192.0.2.1',
  user: null,
  userAgent: 'test',
  userArn: null,
};

/** The event that a REST API's proxy integration sends (version 1.0), for a route such as `GET /v1/campaigns/{id}`. */
export const proxyEvent = (route: string, parts: RequestParts = {}): APIGatewayProxyEvent => {
  const [httpMethod = '', resource = ''] = route.split(' ');
  const { requestId = randomUUID(), tokenId, tokenName, query = [], pathParameters, body } = parts;
  const path = resource.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathParameters?.[name] ?? ''));
  const headers = bothForms(
    Object.entries({ Host: 'api.example.com', 'X-Forwarded-Proto': 'https', Accept: '*/*', ...parts.headers }),
  );
  const parameters = bothForms(query);
  const isText = typeof body === 'string';
  return {
    httpMethod,
    resource,
    path,
    headers: headers.single,
    multiValueHeaders: headers.multi,
    queryStringParameters: query.length > 0 ? parameters.single : null,
    multiValueQueryStringParameters: query.length > 0 ? parameters.multi : null,
    pathParameters: pathParameters ? { ...pathParameters } : null,
    stageVariables: null,
    body: body === undefined ? null : isText ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== undefined && !isText,
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      authorizer:
        tokenId === undefined
          ? null
          : { principalId: tokenId, ...(tokenName !== undefined && { tokenName: encodeURIComponent(tokenName) }) },
      domainName: 'api.example.com',
      extendedRequestId: requestId,
      httpMethod,
      identity,
      path: `/test${path}`,
      protocol: 'HTTP/1.1',
      requestId: 'chosen by the client',
      requestTimeEpoch: 0,
      resourceId: 'resource',
      resourcePath: resource,
      stage: 'test',
    },
  };
};

/** The context of an invocation with so many milliseconds left. */
export const lambdaContext = (remaining = 10_000): Context => ({
  awsRequestId: randomUUID(),
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:test',
  logGroupName: 'test',
  logStreamName: 'test',
  memoryLimitInMB: '512',
  getRemainingTimeInMillis: () => remaining,
  done: () => {},
  fail: () => {},
  succeed: () => {},
});
