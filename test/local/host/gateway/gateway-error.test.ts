import { MockIntegration, ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { beforeAll, expect, test } from 'vitest';
import { send } from '../http.ts';
import { serve } from '../test-host.ts';

let baseUrl: string;

beforeAll(async () => {
  const served = await serve((stack) => {
    const methods = {
      'GET /failing': stack.function('Failing', 'export const handler = () => { throw new Error("no"); };'),
      'GET /once': stack.echo('Echo', '1'),
    };
    const throttle = { throttlingRateLimit: 0, throttlingBurstLimit: 0 };
    const api = stack.api(methods, { deployOptions: { methodOptions: { '/once/GET': throttle } } });
    // Names no status: a mistake in the API's configuration.
    api.root
      .addResource('statusless')
      .addMethod('GET', new MockIntegration({ integrationResponses: [{ statusCode: '200' }] }));
    api.addGatewayResponse('Missing', {
      type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
      statusCode: '404',
      templates: {
        'application/json':
          '{"said":$context.error.messageString,"text":"$context.error.message","type":"$context.error.responseType","id":"$context.requestId"}',
      },
      responseHeaders: { 'Retry-After': "'5'", 'Access-Control-Allow-Origin': "'*'" },
    });
    api.addGatewayResponse('Default4xx', { type: ResponseType.DEFAULT_4XX, statusCode: '418' });
    api.addGatewayResponse('Default5xx', {
      type: ResponseType.DEFAULT_5XX,
      templates: { 'application/json': '{"error":"Internal Server Error"}' },
    });
  });
  ({ baseUrl } = served);
  return served.stop;
});

test("an error has its type's form, with its headers", async () => {
  const { status, headers, text } = await send(`${baseUrl}/nothing`);
  expect(status).toBe(404);
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'content-type': 'application/json',
    'retry-after': '5',
  });
  expect(JSON.parse(text)).toEqual({
    said: 'Missing Authentication Token',
    text: 'Missing Authentication Token',
    type: 'MISSING_AUTHENTICATION_TOKEN',
    id: headers['x-amzn-requestid'],
  });
});

test("a type that the template does not have takes its class's status and form, where that says any", async () => {
  expect(await send(`${baseUrl}/once`)).toMatchObject({ status: 418, text: '{"message":"Too Many Requests"}' });
  expect(await send(`${baseUrl}/statusless`)).toMatchObject({ status: 500, text: '{"error":"Internal Server Error"}' });
});

test('an error that is of no other type has the form of its class', async () => {
  expect(await send(`${baseUrl}/failing`)).toMatchObject({ status: 502, text: '{"error":"Internal Server Error"}' });
  expect(await send(`${baseUrl}/%`)).toMatchObject({ status: 418, text: '{"message":"Bad Request"}' });
});
