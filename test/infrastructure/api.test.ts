import { expect, test } from 'vitest';
import { reasonPhrases } from '../../functions/http/errors.ts';
import { tokenFault } from '../../lib/infrastructure/gateway-responses.ts';
import { bare, full, propertiesOfOnly, type Resources, resourcesOf, synthesize, textOf } from './synthesize.ts';

const template = synthesize({ bare, full, closed: { ...bare, sites: [] } });

const one = (environment: string, type: string) => propertiesOfOnly(template(environment), `AWS::ApiGateway::${type}`);

const preflightsOf = (environment: string) =>
  Object.values(resourcesOf(template(environment), 'AWS::ApiGateway::Method'))
    .filter(({ Properties }) => Properties.HttpMethod === 'OPTIONS')
    .map(({ Properties }) => Properties.Integration);

test('only the gateway can call a function, and only from its own method', () => {
  const permissions = Object.values(resourcesOf(template('full'), 'AWS::Lambda::Permission')).map(({ Properties }) => {
    const { Action, Principal, FunctionName, SourceArn } = Properties;
    expect([Action, Principal]).toEqual(['lambda:InvokeFunction', 'apigateway.amazonaws.com']);
    const source = textOf(SourceArn).replace('arn:aws:execute-api:eu-central-1:123456789012:ApiRestApi/', '');
    return `${textOf(FunctionName)} ${source.replace('ApiRestApiDeploymentStagefull/', '')}`;
  });
  expect(permissions.toSorted()).toEqual([
    'Authorizer.Arn authorizers/ApiAuthorizer',
    'CreateContact.Arn POST/api/v1/contact',
    'DeleteContact.Arn DELETE/api/v1/contact/*',
    'GetCampaign.Arn GET/v1/campaigns/*',
    'GetContact.Arn GET/api/v1/contact/*',
    'ListCampaigns.Arn GET/v1/campaigns',
    'ListContacts.Arn GET/api/v1/contact',
  ]);
});

test('a revoked token stops working within a minute', () => {
  expect(one('full', 'Authorizer')['AuthorizerResultTtlInSeconds']).toBeLessThan(60);
});

test('both host names refuse anything older than TLS 1.2', () => {
  for (const type of ['RestApi', 'DomainName'])
    expect(one('full', type)['SecurityPolicy']).toMatch(/^(TLS_1_2|SecurityPolicy_TLS1[23]_1_[23]_)/);
});

test.each([
  ['bare', ['* /*: 10, 50', 'POST /~1api~1v1~1contact: 20, 100', 'OPTIONS /~1api~1v1~1contact: 20, 100']],
  // Without a site there is no preflight, and API Gateway refuses the settings of a method that is not there.
  ['closed', ['* /*: 10, 50', 'POST /~1api~1v1~1contact: 20, 100']],
])('throttles the public endpoint with its preflight apart from the staff endpoints: %s', (environment, throttles) => {
  const settings = one(environment, 'Stage')['MethodSettings'].map(
    ({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit, DataTraceEnabled }: Resources[string]) => {
      // Traces would hold whole requests.
      expect(DataTraceEnabled).toBe(false);
      return `${HttpMethod} ${ResourcePath}: ${ThrottlingRateLimit}, ${ThrottlingBurstLimit}`;
    },
  );
  expect(settings).toEqual(throttles);
});

test('the access log holds nothing from the caller: no address, no path with an id, no message that can quote a request', () => {
  const { DestinationArn, Format } = one('bare', 'Stage')['AccessLogSetting'];
  expect(textOf(DestinationArn)).toMatch(/:log-group:ApiAccessLog$/);
  expect(Object.keys(JSON.parse(Format))).toContain('requestId');
  expect(Format).not.toMatch(
    /context\.(identity|path\b|\w+\.error|error\.message|integrationErrorMessage|authorizer\.claims)/,
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

const staffOnly = ['UNAUTHORIZED', 'ACCESS_DENIED', 'AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'];

test.each([
  ['bare', "'https://www.example.com'"],
  ['full', "'*'"],
  ['closed', undefined],
])("errors of the gateway have the service's form, and pages of sites can read them: %s", (environment, origin) => {
  const responses = Object.values(resourcesOf(template(environment), 'AWS::ApiGateway::GatewayResponse'));
  expect(responses.length).toBeGreaterThan(staffOnly.length);
  const phrases = new Map(Object.entries<string>(reasonPhrases));
  const retryAfter = new Map([
    ['429', "'1'"],
    ['503', "'5'"],
  ]);
  for (const { Properties } of responses) {
    const { StatusCode, ResponseType, ResponseTemplates, ResponseParameters = {} } = Properties;
    const details = StatusCode === '401' ? [tokenFault] : undefined;
    const body = JSON.stringify({ error: phrases.get(StatusCode), details });
    expect(ResponseTemplates).toEqual({ 'application/json': body });
    const header = (name: string): unknown => ResponseParameters[`gatewayresponse.header.${name}`];
    expect(header('Retry-After'), ResponseType).toBe(retryAfter.get(StatusCode));
    const readable = staffOnly.includes(ResponseType) ? undefined : origin;
    expect(header('Access-Control-Allow-Origin'), ResponseType).toBe(readable);
    expect(header('Access-Control-Expose-Headers'), ResponseType).toBe(
      readable && retryAfter.has(StatusCode) ? "'Retry-After'" : undefined,
    );
  }
});

test('with several site origins, the preflight chooses among them and names no other', () => {
  const [{ IntegrationResponses }] = preflightsOf('full');
  const [{ ResponseParameters, ResponseTemplates }] = IntegrationResponses;
  expect(ResponseParameters).not.toHaveProperty(['method.response.header.Access-Control-Allow-Origin']);
  expect(ResponseTemplates['application/json'].match(/https:[^"]*/g)).toEqual(full.sites.map(({ origin }) => origin));
});

test('without site origins there is no preflight', () => {
  expect([preflightsOf('bare').length, preflightsOf('closed').length]).toEqual([1, 0]);
});
