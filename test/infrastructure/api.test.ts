import { expect, test } from 'vitest';
import { reasonPhrases } from '../../functions/http/errors.ts';
import { endpoints, publicEndpoints } from '../../lib/infrastructure/endpoints.ts';
import { tokenError } from '../../lib/infrastructure/gateway-responses.ts';
import { systemClock } from '../../lib/local/host/clock.ts';
import { createGateway } from '../../lib/local/host/gateway/gateway.ts';
import type { Header } from '../../lib/local/host/gateway/http-message.ts';
import { readTemplate } from '../../lib/local/host/template/template.ts';
import {
  bare,
  full,
  propertiesOfOnly,
  type Resources,
  resourcesOf,
  stacksOf,
  synthesize,
  textOf,
} from './synthesize.ts';

const site = 'https://www.example.com';
const shop = 'https://shop.example.com';
const inbox = 'https://inbox.example.com';
const otherInbox = 'https://answers.example.com';

const environments = {
  bare,
  full,
  closed: { ...bare, sites: [] },
  shops: { ...bare, sites: full.sites },
  inbox: { ...bare, inboxOrigins: [inbox] },
  triage: { ...bare, inboxOrigins: [inbox], triage: true },
  inboxes: { ...bare, sites: full.sites, inboxOrigins: [inbox, otherInbox] },
  siteless: { ...bare, sites: [], inboxOrigins: [inbox] },
};

const template = synthesize(environments);
const stackOf = stacksOf(environments);

const restApiOf = async (environment: string) => {
  const { assembly, stackName } = stackOf(environment);
  return (await readTemplate({ directory: assembly.directory, stackName })).restApi;
};

const one = (environment: string, type: string) => propertiesOfOnly(template(environment), `AWS::ApiGateway::${type}`);

test('only the gateway can call a function of the API, and only from its own method', () => {
  const ofApi = Object.entries(resourcesOf(template('full'), 'AWS::Lambda::Permission')).filter(
    ([id]) => !id.startsWith('NotificationsConfirmationStop') && !id.startsWith('FilesSweep'),
  );
  const permissions = ofApi.map(([, { Properties }]) => {
    const { Action, Principal, FunctionName, SourceArn } = Properties;
    expect([Action, Principal]).toEqual(['lambda:InvokeFunction', 'apigateway.amazonaws.com']);
    const source = textOf(SourceArn).replace('arn:aws:execute-api:eu-central-1:123456789012:ApiRestApi/', '');
    return `${textOf(FunctionName)} ${source.replace('ApiRestApiDeploymentStagefull/', '')}`;
  });
  const callers = endpoints.map(({ id, method, path }) => `${id}.Arn ${method}${path.replaceAll(/\{\w+\}/g, '*')}`);
  expect(permissions.toSorted()).toEqual(['Authorizer.Arn authorizers/ApiAuthorizer', ...callers].toSorted());
});

test('only with triage can a contact request be changed, and only with a token', async () => {
  const methodsOf = async (environment: string) =>
    (await restApiOf(environment)).methods.map(({ httpMethod, resourcePath, authorizer }) =>
      [httpMethod, resourcePath, ...(authorizer ? ['with a token'] : [])].join(' '),
    );
  const [without, triage] = [await methodsOf('inbox'), await methodsOf('triage')];
  expect(triage.filter((method) => !without.includes(method))).toEqual(['PATCH /api/v1/contact/{id} with a token']);
  expect(without.filter((method) => !triage.includes(method))).toEqual([]);
  const headers = [
    ['Origin', inbox],
    ['Access-Control-Request-Method', 'PATCH'],
  ] as const;
  expect((await preflight('inbox', '/api/v1/contact/{id}', headers))[0]).toBeUndefined();
});

test('exactly the public endpoints need no token, besides preflights', async () => {
  const { methods } = await restApiOf('triage');
  const open = methods.flatMap(({ httpMethod, resourcePath, authorizer }) =>
    authorizer === undefined && httpMethod !== 'OPTIONS' ? [`${httpMethod} ${resourcePath}`] : [],
  );
  expect(open).toEqual(publicEndpoints.map(({ method, path }) => `${method} ${path}`));
});

test('a revoked token stops working within a minute', () => {
  expect(one('full', 'Authorizer')['AuthorizerResultTtlInSeconds']).toBeLessThan(60);
});

test('both host names refuse anything older than TLS 1.2', () => {
  for (const type of ['RestApi', 'DomainName'])
    expect(one('full', type)['SecurityPolicy']).toMatch(/^(TLS_1_2|SecurityPolicy_TLS1[23]_1_[23]_)/);
});

test('throttles the public endpoint with its preflight apart from the staff endpoints', () => {
  const settings = one('bare', 'Stage')['MethodSettings'].map(
    ({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit, DataTraceEnabled }: Resources[string]) => {
      // Traces would hold whole requests.
      expect(DataTraceEnabled).toBe(false);
      return `${HttpMethod} ${ResourcePath}: ${ThrottlingRateLimit}, ${ThrottlingBurstLimit}`;
    },
  );
  expect(settings).toEqual([
    '* /*: 10, 50',
    'POST /~1api~1v1~1contact: 20, 100',
    'OPTIONS /~1api~1v1~1contact: 20, 100',
  ]);
});

test('the access log holds nothing from the caller: no address, no path with an id, no message that can quote a request', () => {
  const { DestinationArn, Format } = one('bare', 'Stage')['AccessLogSetting'];
  expect(textOf(DestinationArn)).toMatch(/:log-group:ApiAccessLog$/);
  expect(JSON.parse(Format)).toMatchObject({ requestId: '$context.extendedRequestId' });
  expect(Format).not.toMatch(
    /context\.(identity|path\b|requestId|\w+\.error|error\.message|integrationErrorMessage|authorizer\.claims)/,
  );
  expect(resourcesOf(template('bare'), 'AWS::Logs::LogGroup')['ApiAccessLog']).toMatchObject({
    Properties: { RetentionInDays: bare.logRetentionDays },
  });
});

test('the role for access logs outlives the stack, since other stacks use it, too', () => {
  const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
  expect(resourcesOf(template('bare'), 'AWS::ApiGateway::Account')['ApiRestApiAccount']).toMatchObject(retained);
  expect(resourcesOf(template('bare'), 'AWS::IAM::Role')['ApiRestApiCloudWatchRole']).toMatchObject(retained);
});

test.each(['INTEGRATION_FAILURE', 'INTEGRATION_TIMEOUT', 'AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'])(
  'clients can retry after %s',
  (type) => {
    const responses = Object.values(resourcesOf(template('bare'), 'AWS::ApiGateway::GatewayResponse'));
    const statuses = responses.flatMap(({ Properties: { ResponseType, StatusCode } }) =>
      ResponseType === type ? [StatusCode] : [],
    );
    expect(statuses).toEqual(['503']);
  },
);

test('gateway responses are created one after the other, because API Gateway refuses many calls at once', () => {
  const responses = Object.entries(template('bare').findResources('AWS::ApiGateway::GatewayResponse'));
  const after = new Map(responses.map(([id, { DependsOn }]) => [DependsOn?.join(), id]));
  const chain: string[] = [];
  for (let next = after.get(undefined); next !== undefined; next = after.get(next)) chain.push(next);
  expect(chain.toSorted()).toEqual(responses.map(([id]) => id).toSorted());
});

const staffOnly = ['UNAUTHORIZED', 'ACCESS_DENIED', 'AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'];

test.each([
  ['bare', `'${site}'`, undefined],
  ['shops', "'*'", undefined],
  ['closed', undefined, undefined],
  ['full', "'*'", "'*'"],
  ['inbox', "'*'", "'*'"],
  ['siteless', `'${inbox}'`, `'${inbox}'`],
])("errors of the gateway have the service's form, and pages can read them: %s", (environment, origin, staffOrigin) => {
  const responses = Object.values(resourcesOf(template(environment), 'AWS::ApiGateway::GatewayResponse'));
  expect(responses.length).toBeGreaterThan(staffOnly.length);
  const phrases = new Map(Object.entries<string>(reasonPhrases));
  const retryAfter = new Map([
    ['429', "'1'"],
    ['503', "'5'"],
  ]);
  for (const { Properties } of responses) {
    const { StatusCode, ResponseType, ResponseTemplates, ResponseParameters = {} } = Properties;
    const details = StatusCode === '401' ? [tokenError] : undefined;
    const body = JSON.stringify({ error: phrases.get(StatusCode), details });
    expect(ResponseTemplates).toEqual({ 'application/json': body });
    const header = (name: string): unknown => ResponseParameters[`gatewayresponse.header.${name}`];
    expect(header('Retry-After'), ResponseType).toBe(retryAfter.get(StatusCode));
    const readable = staffOnly.includes(ResponseType) ? staffOrigin : origin;
    expect(header('Access-Control-Allow-Origin'), ResponseType).toBe(readable);
    const canHaveCredentials = readable !== undefined && readable !== "'*'";
    expect(header('Access-Control-Allow-Credentials'), ResponseType).toBe(canHaveCredentials ? "'true'" : undefined);
    expect(header('Access-Control-Expose-Headers'), ResponseType).toBe(
      readable && retryAfter.has(StatusCode) ? "'Retry-After'" : undefined,
    );
  }
});

/** The response to a preflight: its allowed origin, methods, headers and credentials; nothing if there is no such method. */
const preflight = async (environment: string, path: string, headers: readonly Header[]) => {
  const neverInvoked = () => Promise.reject(new Error('A function was called.'));
  const gateway = createGateway(await restApiOf(environment), neverInvoked, systemClock, () => {});
  const request = { id: '1', httpMethod: 'OPTIONS', path, query: new URLSearchParams(), headers, body: Buffer.of() };
  const response = await gateway(request).catch(() => undefined);
  if (!response) return [];
  const responseHeaders = new Map(response.headers);
  expect([responseHeaders.get('Vary'), responseHeaders.get('Access-Control-Max-Age')]).toEqual(['Origin', '7200']);
  return ['Origin', 'Methods', 'Headers', 'Credentials'].map((name) =>
    responseHeaders.get(`Access-Control-Allow-${name}`),
  );
};

const contacts = '/api/v1/contact';
const contact = `${contacts}/{id}`;
const campaigns = '/v1/campaigns';

const asked = 'content-type,hx-request,traceparent';
const toPost = ['POST', asked, 'true'] as const;
const forInbox = ['Authentication,Accept,Content-Type', undefined] as const;
const toRead = ['GET', ...forInbox] as const;
const toDelete = ['DELETE', ...forInbox] as const;
const nothing = [undefined, undefined, undefined, undefined];

test.each<
  [environment: string, path: string, origin: string, method: string, allowed: readonly (string | undefined)[]]
>([
  ['closed', contacts, site, 'POST', nothing],
  ['bare', contacts, site, 'POST', [site, ...toPost]],
  ['bare', contacts, 'null', 'POST', ['null', ...toPost]],
  ['bare', contacts, site, 'PUT', nothing],
  ['shops', contacts, shop, 'POST', [shop, ...toPost]],
  ['shops', contacts, inbox, 'POST', nothing],
  ['bare', contact, site, 'GET', []],
  ['bare', campaigns, site, 'GET', []],
  ['inbox', contacts, site, 'POST', [site, ...toPost]],
  ['inbox', contacts, inbox, 'GET', [inbox, ...toRead]],
  ['inbox', contacts, site, 'GET', nothing],
  ['inbox', contacts, inbox, 'POST', nothing],
  ['inbox', contacts, inbox, '', nothing],
  ['inbox', contacts, 'null', 'GET', nothing],
  ['inbox', contacts, 'null', 'POST', ['null', ...toPost]],
  ['inbox', contact, inbox, 'DELETE', [inbox, ...toDelete]],
  ['inboxes', contacts, shop, 'POST', [shop, ...toPost]],
  ['inboxes', contacts, otherInbox, 'GET', [otherInbox, ...toRead]],
  ['inboxes', contacts, otherInbox, 'POST', nothing],
  ['inboxes', contact, otherInbox, 'DELETE', [otherInbox, ...toDelete]],
  ['inboxes', contact, shop, 'GET', nothing],
  ['siteless', contacts, inbox, 'GET', [inbox, ...toRead]],
])('responds to a preflight: %s, %s, %s, %s', async (environment, path, origin, method, allowed) => {
  const headers = [
    ['Origin', origin],
    ['Access-Control-Request-Method', method],
    ['Access-Control-Request-Headers', asked],
  ] as const;
  expect(await preflight(environment, path, headers)).toEqual(allowed);
  const lowerCase = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  expect(await preflight(environment, path, lowerCase)).toEqual(allowed);
});

test('allows a site no header if its page asks for none', async () => {
  const headers = [
    ['Origin', site],
    ['Access-Control-Request-Method', 'POST'],
  ] as const;
  expect(await preflight('bare', contacts, headers)).toEqual([site, 'POST', undefined, 'true']);
});

test.each(endpoints.filter(({ permission }) => permission))(
  'a page of inboxOrigins can call $id: $method $path',
  async ({ method, path }) => {
    const headers = [
      ['Origin', inbox],
      ['Access-Control-Request-Method', method],
    ] as const;
    const [origin, methods = '', allowed] = await preflight('triage', path, headers);
    expect([origin, allowed]).toEqual([inbox, 'Authentication,Accept,Content-Type']);
    expect(methods.split(',')).toContain(method);
  },
);
