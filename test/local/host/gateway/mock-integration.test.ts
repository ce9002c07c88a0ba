import { MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { expect, onTestFinished, test } from 'vitest';
import { addPreflight } from '../../../../lib/infrastructure/api/preflight.ts';
import { send } from '../http.ts';
import { serve } from '../test-host.ts';

const site = 'https://www.example.com';
const shop = 'https://shop.example.com';

const servePreflight = async (siteOrigins: string[]) => {
  const { baseUrl, stop } = await serve((stack) => {
    addPreflight(stack.api({}).root.addResource('contact'), 'POST', siteOrigins);
  });
  onTestFinished(stop);
  return (header: string, origin: string) =>
    send(`${baseUrl}/contact`, { method: 'OPTIONS', headers: [[header, origin]] });
};

test('for one site origin the preflight names it, whoever asks', async () => {
  const preflight = await servePreflight([site]);
  const { status, headers, text } = await preflight('Origin', 'https://foreign.example');
  expect([status, text]).toEqual([204, '']);
  expect(headers).toMatchObject({
    'access-control-allow-methods': 'POST',
    'access-control-allow-origin': site,
    vary: expect.stringContaining('Origin'),
  });
});

test('for several the preflight names the one that asks, and no foreign one', async () => {
  const preflight = await servePreflight([site, shop]);
  expect((await preflight('Origin', site)).headers['access-control-allow-origin']).toBe(site);
  expect((await preflight('origin', shop)).headers['access-control-allow-origin']).toBe(shop);
  const { status, headers } = await preflight('Origin', `${site}.evil.example`);
  expect(status).toBe(204);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('a template sees path, query string and headers, each in its own case, and overrides status and headers', async () => {
  const { baseUrl, stop } = await serve((stack) => {
    const template = `#set($context.responseOverride.header.X-A = "over")#set($context.responseOverride.status = 202)
{"id":"$input.params('id')","q":"$input.params('q')","h":"$input.params('X-H')","none":"$input.params('x-h')","at":"$context.resourcePath"}`;
    const mock = new MockIntegration({
      requestTemplates: {
        'application/json': '#if($input.params("q") == "b"){ statusCode: 409 }#else{ statusCode: 200 }#end',
      },
      integrationResponses: [
        { statusCode: '410', selectionPattern: '4\\d\\d' },
        {
          statusCode: '200',
          responseParameters: { 'method.response.header.x-a': "'a'", 'method.response.header.X-B': "'b'" },
          responseTemplates: { 'application/json': template },
        },
      ],
    });
    const responseParameters = { 'method.response.header.x-a': true, 'method.response.header.X-B': true };
    const methodResponses = [{ statusCode: '200', responseParameters }, { statusCode: '410' }];
    stack.api({}).root.addResource('{id}').addMethod('GET', mock, { methodResponses });
  });
  onTestFinished(stop);
  const headers = [['X-H', 'h']] as const;
  const answer = await send(`${baseUrl}/1?q=a`, { headers });
  expect(answer).toMatchObject({ status: 202, headers: { 'x-a': 'over', 'x-b': 'b' } });
  expect(JSON.parse(answer.text)).toEqual({ id: '1', q: 'a', h: 'h', none: '', at: '/{id}' });
  expect((await send(`${baseUrl}/1?q=b`, { headers })).status).toBe(410);
});

test('of several parameters of a name that of the path counts, then the query string, then the header', async () => {
  const { baseUrl, stop } = await serve((stack) => {
    const template = `["$input.params('id')","$input.params('q')","$input.params('h')"]`;
    const mock = new MockIntegration({
      requestTemplates: { 'application/json': '{ "statusCode": 200 }' },
      integrationResponses: [{ statusCode: '200', responseTemplates: { 'application/json': template } }],
    });
    stack
      .api({})
      .root.addResource('{id}')
      .addMethod('GET', mock, { methodResponses: [{ statusCode: '200' }] });
  });
  onTestFinished(stop);
  const headers = ['id', 'q', 'h'].map((name) => [name, 'header'] as const);
  const { text } = await send(`${baseUrl}/path?id=query&q=query`, { headers });
  expect(JSON.parse(text)).toEqual(['path', 'query', 'header']);
});

test('a type without a template passes its body through, or does not pass at all', async () => {
  const { baseUrl, stop } = await serve((stack) => {
    const { root } = stack.api({});
    for (const passthroughBehavior of Object.values(PassthroughBehavior)) {
      const mock = new MockIntegration({
        passthroughBehavior,
        requestTemplates: { 'application/json': '{ "statusCode": 200 }' },
        integrationResponses: [{ statusCode: '200' }],
      });
      root.addResource(passthroughBehavior).addMethod('POST', mock, { methodResponses: [{ statusCode: '200' }] });
    }
  });
  onTestFinished(stop);
  const post = async (path: string, contentType: string, body?: string) => {
    const headers = [['Content-Type', contentType]] as const;
    return (await send(`${baseUrl}/${path}`, { method: 'POST', headers, body })).status;
  };
  expect(await post('NEVER', 'application/json; charset=utf-8')).toBe(200);
  expect(await post('NEVER', 'text/plain')).toBe(415);
  expect(await post('WHEN_NO_TEMPLATES', 'text/plain')).toBe(415);
  expect(await post('WHEN_NO_MATCH', 'text/plain', '{ "statusCode": 200 }')).toBe(200);
  expect(await post('WHEN_NO_MATCH', 'text/plain')).toBe(500);
});
