import { beforeAll, expect, test } from 'vitest';
import { send } from '../http.ts';
import { serve } from '../test-host.ts';

let baseUrl: string;

beforeAll(async () => {
  const served = await serve((stack) => {
    const echo = stack.echo('Echo', 'event');
    const context = stack.echo('Context', '{ ...context, remaining: context.getRemainingTimeInMillis() }');
    stack.api(
      { 'POST /things/{id}': echo, 'GET /plain': echo, 'GET /context': context },
      {
        binaryMediaTypes: ['multipart/form-data'],
        deployOptions: { stageName: 'live', variables: { colour: 'blue' } },
      },
    );
  });
  ({ baseUrl } = served);
  return served.stop;
});

test('a function gets the event of a REST proxy integration', async () => {
  const answer = await send(`${baseUrl}/things/a%2Fb?x=1&x=2&y=%C3%A9+z&flag`, {
    method: 'POST',
    headers: [
      ['User-Agent', 'probe/1'],
      ['X-Twice', 'first'],
      ['X-Twice', 'last'],
      ['content-TYPE', 'text/plain'],
      ['X-Forwarded-For', '203.0.113.7'],
      ['x-forwarded-proto', 'https'],
      ['TE', 'trailers'],
    ],
    body: 'Grüße',
  });
  const { host, port } = new URL(baseUrl);
  const headers = {
    Host: host,
    'User-Agent': 'probe/1',
    'X-Twice': 'last',
    'content-TYPE': 'text/plain',
    'X-Amzn-Trace-Id': expect.stringMatching(/^Root=1-69a884c5-[0-9a-f]{24}$/),
    'X-Forwarded-For': '203.0.113.7, 127.0.0.1',
    'X-Forwarded-Port': port,
    'X-Forwarded-Proto': 'http',
  };
  expect(JSON.parse(answer.text)).toStrictEqual({
    resource: '/things/{id}',
    path: '/things/a%2Fb',
    httpMethod: 'POST',
    headers,
    multiValueHeaders: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      'X-Twice': ['first', 'last'],
    },
    queryStringParameters: { x: '2', y: 'é z', flag: '' },
    multiValueQueryStringParameters: { x: ['1', '2'], y: ['é z'], flag: [''] },
    pathParameters: { id: 'a/b' },
    stageVariables: { colour: 'blue' },
    requestContext: {
      accountId: '000000000000',
      apiId: expect.any(String),
      domainName: host,
      domainPrefix: '127',
      extendedRequestId: expect.stringMatching(/^[\w+/]{15}=$/),
      httpMethod: 'POST',
      identity: {
        accessKey: null,
        accountId: null,
        caller: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: '127.0.0.1',
        user: null,
        userAgent: 'probe/1',
        userArn: null,
      },
      path: '/things/a%2Fb',
      protocol: 'HTTP/1.1',
      requestId: answer.headers['x-amzn-requestid'],
      requestTime: '04/Mar/2026:19:15:17 +0000',
      requestTimeEpoch: Date.parse('2026-03-04T19:15:17.135Z'),
      resourceId: expect.any(String),
      resourcePath: '/things/{id}',
      stage: 'live',
    },
    body: 'Grüße',
    isBase64Encoded: false,
  });
});

test('a question mark after the first is a part of the query', async () => {
  const { text } = await send(`${baseUrl}/plain??x=1?2`);
  expect(JSON.parse(text)).toMatchObject({ path: '/plain', queryStringParameters: { '?x': '1?2' } });
});

test('what a request does not have is null', async () => {
  expect(JSON.parse((await send(`${baseUrl}/plain`)).text)).toMatchObject({
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    requestContext: { identity: { userAgent: null } },
    body: null,
    isBase64Encoded: false,
  });
});

test('a body of a binary media type comes in base64, whatever the parameters of its type', async () => {
  const post = async (contentType: string) => {
    const headers = [['Content-Type', contentType]] as const;
    const { text } = await send(`${baseUrl}/things/1`, { method: 'POST', headers, body: Buffer.from([0xff, 0x00]) });
    const { body, isBase64Encoded } = JSON.parse(text);
    return [body, isBase64Encoded];
  };
  expect(await post('Multipart/Form-Data; boundary=x')).toEqual(['/wA=', true]);
  expect(await post('text/plain')).toEqual(['\uFFFD\u0000', false]);
});

test('a function gets the context of Lambda', async () => {
  const context = JSON.parse((await send(`${baseUrl}/context`)).text);
  expect(context).toMatchObject({
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    functionName: expect.stringContaining('Context'),
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${context.functionName}`,
    memoryLimitInMB: '128',
  });
  expect(context.remaining).toBeGreaterThan(0);
  expect(context.remaining).toBeLessThanOrEqual(5000);
});
