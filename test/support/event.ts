import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';

/** The parts of a request that a test sets. */
export interface RequestParts {
  readonly requestId?: string;
  /** The id of the token of the request. */
  readonly tokenId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** The event has text unchanged, and bytes in base64. */
  readonly body?: string | Uint8Array;
}

/** The event of a REST API has each header and parameter twice: its last value, and a list of all values. */
const bothForms = (pairs: readonly (readonly [name: string, value: string])[]) => {
  const lists = new Map<string, string[]>();
  for (const [name, value] of pairs) lists.set(name, [...(lists.get(name) ?? []), value]);
  return { single: Object.fromEntries(pairs), multi: Object.fromEntries(lists) };
};

/** The event of a REST API's proxy integration (version 1.0) for a route such as `GET /v1/campaigns/{id}`. */
export const proxyEvent = (route: string, parts: RequestParts = {}) => {
  const [httpMethod = '', resource = ''] = route.split(' ');
  const { requestId = randomUUID(), tokenId, query = [], pathParameters, body } = parts;
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
      authorizer: tokenId === undefined ? null : { principalId: tokenId },
      domainName: 'api.example.com',
      httpMethod,
      identity: { sourceIp: '192.0.2.1', userAgent: 'test' },
      path: `/test${path}`,
      protocol: 'HTTP/1.1',
      requestId,
      requestTimeEpoch: 0,
      resourceId: 'resource',
      resourcePath: resource,
      stage: 'test',
    },
  };
};

/** The context of an invocation. @param remaining its milliseconds until the timeout */
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
