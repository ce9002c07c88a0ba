import { expect, test } from 'vitest';
import { reasonPhrases } from '../../functions/http/errors.ts';
import { authenticationHeaderPattern } from '../../functions/tokens/token.ts';
import { endpoints } from '../../lib/infrastructure/endpoints.ts';
import {
  bare,
  full,
  functionIds,
  propertiesOfOnly,
  type Resources,
  resourcesOf,
  synthesize,
  textOf,
} from './synthesize.ts';

const template = synthesize({
  bare,
  full,
  closed: { ...bare, sites: [] },
});

const one = (environment: string, type: string) => propertiesOfOnly(template(environment), type);

const stageOf = (environment: string) => one(environment, 'AWS::ApiGateway::Stage');

/** The methods of the API, as `<method> <path>`. */
const methodsOf = (environment: string) => {
  const resources = resourcesOf(template(environment), 'AWS::ApiGateway::Resource');
  const pathOf = (id: string): string => {
    const resource = resources[id];
    if (!resource) return '';
    return `${pathOf(textOf(resource['Properties'].ParentId))}/${resource['Properties'].PathPart}`;
  };
  return Object.fromEntries(
    Object.values(resourcesOf(template(environment), 'AWS::ApiGateway::Method')).map(({ Properties }) => [
      `${Properties.HttpMethod} ${pathOf(textOf(Properties.ResourceId))}`,
      Properties,
    ]),
  );
};

const gatewayResponsesOf = (environment: string): Resources =>
  Object.fromEntries(
    Object.values(resourcesOf(template(environment), 'AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => [
      Properties.ResponseType,
      Properties,
    ]),
  );

const corsHeader = 'gatewayresponse.header.Access-Control-Allow-Origin';

test('has the six endpoints of the document, each with its function; all but the first need a token', () => {
  const methods = Object.entries(methodsOf('full'))
    .filter(([, { HttpMethod }]) => HttpMethod !== 'OPTIONS')
    .map(([endpoint, { AuthorizationType, AuthorizerId, Integration }]) => {
      expect(Integration).toMatchObject({ Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST' });
      return [
        endpoint,
        textOf(Integration.Uri).match(/functions\/(.*)\.Arn/)?.[1],
        AuthorizationType,
        AuthorizerId && textOf(AuthorizerId),
      ];
    });
  expect(methods).toHaveLength(endpoints.length);
  expect(methods).toEqual(
    expect.arrayContaining([
      ['POST /api/v1/contact', 'CreateContact', 'NONE', undefined],
      ['GET /api/v1/contact', 'ListContacts', 'CUSTOM', 'ApiAuthorizer'],
      ['GET /api/v1/contact/{id}', 'GetContact', 'CUSTOM', 'ApiAuthorizer'],
      ['DELETE /api/v1/contact/{id}', 'DeleteContact', 'CUSTOM', 'ApiAuthorizer'],
      ['GET /v1/campaigns', 'ListCampaigns', 'CUSTOM', 'ApiAuthorizer'],
      ['GET /v1/campaigns/{id}', 'GetCampaign', 'CUSTOM', 'ApiAuthorizer'],
    ]),
  );
});

test('only the gateway can call a function, and only from its own method', () => {
  const permissions = Object.values(resourcesOf(template('full'), 'AWS::Lambda::Permission')).map(({ Properties }) => {
    const { Action, Principal, FunctionName, SourceArn } = Properties;
    expect([Action, Principal]).toEqual(['lambda:InvokeFunction', 'apigateway.amazonaws.com']);
    const [arn, ...source] = textOf(SourceArn).split('/');
    expect(arn).toBe('arn:aws:execute-api:eu-central-1:123456789012:ApiRestApi');
    return [textOf(FunctionName), source.join('/')];
  });
  const stage = 'ApiRestApiDeploymentStagefull';
  expect(Object.fromEntries(permissions)).toEqual({
    'Authorizer.Arn': 'authorizers/ApiAuthorizer',
    ...Object.fromEntries(
      endpoints.map(({ id, method, path }) => [`${id}.Arn`, `${stage}/${method}${path.replace('{id}', '*')}`]),
    ),
  });
  expect(permissions).toHaveLength(functionIds.length);
});

test('the authorizer reads the header Authentication, and gets only what looks like a token', () => {
  expect(one('full', 'AWS::ApiGateway::Authorizer')).toMatchObject({
    Type: 'TOKEN',
    IdentitySource: 'method.request.header.Authentication',
    IdentityValidationExpression: authenticationHeaderPattern,
    // A revoked token stops working within a minute.
    AuthorizerResultTtlInSeconds: 30,
  });
});

const newTls = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09' };

test('both host names refuse anything older than TLS 1.2', () => {
  expect(one('bare', 'AWS::ApiGateway::RestApi')).toMatchObject({
    ...newTls,
    EndpointConfiguration: { Types: ['REGIONAL'] },
  });
  expect(one('full', 'AWS::ApiGateway::DomainName')).toMatchObject(newTls);
});

test.each([
  ['bare', ['POST', 'OPTIONS']],
  // Without a site there is no preflight, and API Gateway refuses the settings of a method that is not there.
  ['closed', ['POST']],
])('throttles the public endpoint with its preflight apart from the staff endpoints: %s', (environment, methods) => {
  expect(stageOf(environment)['MethodSettings']).toEqual([
    {
      HttpMethod: '*',
      ResourcePath: '/*',
      DataTraceEnabled: false,
      ThrottlingRateLimit: 10,
      ThrottlingBurstLimit: 50,
    },
    ...methods.map((HttpMethod) => ({
      HttpMethod,
      ResourcePath: '/~1api~1v1~1contact',
      DataTraceEnabled: false,
      ThrottlingRateLimit: 20,
      ThrottlingBurstLimit: 100,
    })),
  ]);
});

test('the access log holds nothing from the caller: no address, no path with an id, no message that can quote a request', () => {
  const { AccessLogSetting } = stageOf('bare');
  expect(textOf(AccessLogSetting.DestinationArn)).toMatch(/:log-group:ApiAccessLog$/);
  expect(Object.keys(JSON.parse(AccessLogSetting.Format))).toContain('requestId');
  expect(AccessLogSetting.Format).not.toMatch(
    /context\.(identity|path\b|\w+\.error|error\.message|integrationErrorMessage|authorizer\.claims)/,
  );
  expect(resourcesOf(template('bare'), 'AWS::Logs::LogGroup')['ApiAccessLog']).toMatchObject({
    Properties: { RetentionInDays: bare.logRetentionDays },
  });
});

test('the role for access logs outlives the stack, since other stacks use it, too', () => {
  const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
  expect(resourcesOf(template('bare'), 'AWS::ApiGateway::Account')).toEqual({
    ApiRestApiAccount: expect.objectContaining(retained),
  });
  expect(resourcesOf(template('bare'), 'AWS::IAM::Role')['ApiRestApiCloudWatchRole']).toMatchObject(retained);
});

test("every error of the gateway has the service's form", () => {
  const responses = Object.values(gatewayResponsesOf('full'));
  expect(responses).not.toHaveLength(0);
  const phrases = new Map(Object.entries<string>(reasonPhrases));
  for (const { StatusCode, ResponseTemplates } of responses) {
    expect(ResponseTemplates).toEqual({ 'application/json': JSON.stringify({ error: phrases.get(StatusCode) }) });
  }
});

test('429 and 503 have Retry-After, and no other error', () => {
  for (const { StatusCode, ResponseParameters } of Object.values(gatewayResponsesOf('full'))) {
    const retryAfter = ResponseParameters?.['gatewayresponse.header.Retry-After'];
    if (StatusCode === '429') expect(retryAfter).toBe("'1'");
    else if (StatusCode === '503') expect(retryAfter).toBe("'5'");
    else expect(retryAfter).toBeUndefined();
  }
});

test('pages can read Retry-After, and no error quotes the request', () => {
  for (const environment of ['bare', 'full']) {
    for (const [type, { ResponseParameters = {} }] of Object.entries(gatewayResponsesOf(environment))) {
      const retryAfter = corsHeader in ResponseParameters && 'gatewayresponse.header.Retry-After' in ResponseParameters;
      expect(ResponseParameters['gatewayresponse.header.Access-Control-Expose-Headers'], type).toBe(
        retryAfter ? "'Retry-After'" : undefined,
      );
      for (const value of Object.values(ResponseParameters)) expect(value).toMatch(/^'[^']*'$/);
    }
  }
});

const staffOnly = ['UNAUTHORIZED', 'ACCESS_DENIED', 'AUTHORIZER_FAILURE', 'AUTHORIZER_CONFIGURATION_ERROR'];

test.each([
  ['bare', "'https://www.example.com'"],
  ['full', "'*'"],
  ['closed', undefined],
])('pages of sites can read errors of the gateway, except those of staff endpoints: %s', (environment, origin) => {
  for (const [type, { ResponseParameters }] of Object.entries(gatewayResponsesOf(environment))) {
    expect(ResponseParameters?.[corsHeader], type).toBe(staffOnly.includes(type) ? undefined : origin);
  }
});

test('the gateway answers the preflight of the public endpoint itself', () => {
  const preflights = Object.entries(methodsOf('bare')).filter(([route]) => route.startsWith('OPTIONS'));
  expect(preflights).toEqual([
    [
      'OPTIONS /api/v1/contact',
      expect.objectContaining({
        AuthorizationType: 'NONE',
        Integration: {
          Type: 'MOCK',
          PassthroughBehavior: 'NEVER',
          RequestTemplates: { 'application/json': '{ "statusCode": 204 }' },
          IntegrationResponses: [
            {
              StatusCode: '204',
              ResponseParameters: {
                'method.response.header.Access-Control-Allow-Origin': "'https://www.example.com'",
                'method.response.header.Access-Control-Allow-Methods': "'POST'",
                'method.response.header.Access-Control-Allow-Headers': "'Content-Type,Idempotency-Key'",
                'method.response.header.Access-Control-Max-Age': "'7200'",
                'method.response.header.Vary': "'Origin'",
              },
            },
          ],
        },
      }),
    ],
  ]);
});

test('with several site origins, the preflight chooses among them and names no other', () => {
  const { Integration } = methodsOf('full')['OPTIONS /api/v1/contact'];
  const [{ ResponseParameters, ResponseTemplates }] = Integration.IntegrationResponses;
  expect(ResponseParameters).not.toHaveProperty(['method.response.header.Access-Control-Allow-Origin']);
  expect(ResponseTemplates['application/json'].match(/https:[^"]*/g)).toEqual(full.sites.map(({ origin }) => origin));
});

test('without site origins there is no preflight', () => {
  expect(Object.keys(methodsOf('closed')).filter((route) => route.startsWith('OPTIONS'))).toEqual([]);
});
