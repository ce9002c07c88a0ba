import { expect, test } from 'vitest';
import { readTemplate } from '../../../../lib/local/host/template/template.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { type Resource, writeStack } from '../test-host.ts';

const ref = (name: string) => ({ Ref: name });
const getAtt = (name: string, attribute: string) => ({ 'Fn::GetAtt': [name, attribute] });
const concatenated = (...parts: readonly unknown[]) => ({ 'Fn::Join': ['', parts] });

const uriOf = (name: string) =>
  concatenated('arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/', getAtt(name, 'Arn'), '/invocations');

/** A stack with a resource of each type that is served. */
const whole = {
  Api: { Type: 'AWS::ApiGateway::RestApi' },
  Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { RestApiId: ref('Api'), StageName: 'live' } },
  Things: {
    Type: 'AWS::ApiGateway::Resource',
    Properties: { ParentId: getAtt('Api', 'RootResourceId'), PathPart: 'things', RestApiId: ref('Api') },
  },
  GetThings: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      AuthorizationType: 'CUSTOM',
      AuthorizerId: ref('Authorizer'),
      HttpMethod: 'GET',
      Integration: { IntegrationHttpMethod: 'POST', Type: 'AWS_PROXY', Uri: uriOf('ApiResponse') },
      ResourceId: ref('Things'),
    },
  },
  Preflight: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      AuthorizationType: 'NONE',
      HttpMethod: 'OPTIONS',
      Integration: {
        IntegrationResponses: [{ StatusCode: '204' }],
        PassthroughBehavior: 'NEVER',
        RequestTemplates: { 'application/json': '{ "statusCode": 204 }' },
        Type: 'MOCK',
      },
      ResourceId: ref('Things'),
    },
  },
  Missing: {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: { ResponseType: 'MISSING_AUTHENTICATION_TOKEN', StatusCode: '404' },
  },
  Authorizer: {
    Type: 'AWS::ApiGateway::Authorizer',
    Properties: {
      AuthorizerResultTtlInSeconds: 30,
      AuthorizerUri: uriOf('ApiResponse'),
      IdentitySource: 'method.request.header.Authentication',
      IdentityValidationExpression: 'a|b',
      Type: 'TOKEN',
    },
  },
  ApiResponse: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: { 'Fn::Sub': 'ignored' }, S3Key: 'response.zip' },
      Environment: {
        Variables: { TABLE: ref('Table'), QUEUE: ref('Queue'), SECRET: ref('Secret'), BUCKET: ref('Bucket') },
      },
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
    },
  },
  Table: {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
    },
  },
  Queue: {
    Type: 'AWS::SQS::Queue',
    Properties: { RedrivePolicy: { deadLetterTargetArn: getAtt('DeadLetters', 'Arn'), maxReceiveCount: 960 } },
  },
  DeadLetters: { Type: 'AWS::SQS::Queue' },
  OfStream: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: getAtt('Table', 'StreamArn'),
      FunctionName: ref('ApiResponse'),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      StartingPosition: 'TRIM_HORIZON',
    },
  },
  Daily: {
    Type: 'AWS::Events::Rule',
    Properties: {
      ScheduleExpression: 'rate(1 day)',
      State: 'ENABLED',
      Targets: [{ Arn: getAtt('ApiResponse', 'Arn'), Id: 'Target0' }],
    },
  },
  OfQueue: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      BatchSize: 1,
      EventSourceArn: getAtt('Queue', 'Arn'),
      FunctionName: getAtt('ApiResponse', 'Arn'),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    },
  },
  Secret: {
    Type: 'AWS::SecretsManager::Secret',
    Properties: { GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 44 } },
  },
  Bucket: { Type: 'AWS::S3::Bucket' },
  BucketPolicy: { Type: 'AWS::S3::BucketPolicy', Properties: { Bucket: ref('Bucket') } },
  Alarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { Anything: { 'Fn::ImportValue': 'not resolved' } } },
} satisfies Record<string, Resource>;

type Resources = Readonly<Record<string, Resource>>;

const files = {
  response: { source: { path: 'asset.response' }, destinations: { current: { objectKey: 'response.zip' } } },
};

const read = (Resources: Resources, Outputs?: Parameters<typeof writeStack>[2]) =>
  readTemplate(writeStack(temporaryFolder(), Resources, Outputs, files));

test('resolves references and functions of CloudFormation', async () => {
  const { buckets, functions, outputs, queues, restApi } = await read(whole, {
    Joined: { Value: concatenated(ref('Api'), '.', ref('AWS::Region'), '.', ref('AWS::URLSuffix'), '/', ref('Stage')) },
    Selected: { Value: { 'Fn::Select': [3, { 'Fn::Split': [':', getAtt('ApiResponse', 'Arn')] }] } },
    Static: { Value: 'text' },
  });
  expect(outputs).toEqual({ Joined: 'Api.us-east-1.amazonaws.com/live', Selected: 'us-east-1', Static: 'text' });
  expect(functions.map(({ variables }) => variables)).toEqual([
    {
      TABLE: 'local-Table',
      QUEUE: 'http://127.0.0.1/000000000000/Queue',
      SECRET: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Secret',
      BUCKET: 'local-bucket',
    },
  ]);
  expect(buckets).toEqual(['local-bucket']);
  expect(queues[0]?.redrive).toEqual({ deadLetters: 'DeadLetters', maxReceiveCount: 960 });
  expect(restApi.methods[0]?.integration).toBe('arn:aws:lambda:us-east-1:000000000000:function:ApiResponse');
});

test.each([
  ['a', true],
  ['ab', false],
])("the authorizer's pattern must match the whole token: %s", async (token, matches) => {
  const { restApi } = await read(whole);
  expect(restApi.methods[0]?.authorizer?.tokenPattern.test(token)).toBe(matches);
});

test('properties missing from the template have the defaults of AWS', async () => {
  const { functions, queues, queueSources, schedules, streamSources } = await read(whole);
  expect(functions).toMatchObject([{ timeoutSeconds: 3, memoryMegabytes: 128 }]);
  expect(queues[0]).toMatchObject({ visibilityTimeoutSeconds: 30 });
  expect(queueSources).toMatchObject([{ maximumConcurrency: 5, enabled: true }]);
  expect(schedules).toMatchObject([{ name: 'Daily', intervalMilliseconds: 86_400_000 }]);
  expect(streamSources).toMatchObject([{ batchSize: 100, filters: [], enabled: true }]);
});

/** Changes of properties: a resource's id with a path of names, and the value. */
const changed = (path: string, value: unknown): Resources => {
  const [id = '', ...names] = path.split('.');
  const resources: Record<string, Resource> = structuredClone(whole);
  const set = (object: unknown, [name = '', ...rest]: readonly string[]): unknown => {
    const before = typeof object === 'object' && object !== null ? object : {};
    const inner: unknown = Reflect.get(before, name);
    return { ...before, [name]: rest.length === 0 ? value : set(inner, rest) };
  };
  const { Type, Properties = {} } = resources[id] ?? { Type: '' };
  const properties = names.length === 0 ? value : set(Properties, names);
  return { ...resources, [id]: { Type, Properties: Object(properties) } };
};

test('a method has its own throttle, or that of the stage', async () => {
  const { restApi } = await read(
    changed('Stage.MethodSettings', [
      { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 },
      { HttpMethod: 'GET', ResourcePath: '/~1things', ThrottlingRateLimit: 3, ThrottlingBurstLimit: 4 },
    ]),
  );
  expect(restApi.methods.map(({ throttle }) => throttle)).toEqual([
    { rate: 3, burst: 4 },
    { rate: 1, burst: 2 },
  ]);
});

test.each<[change: string, value: unknown, message: string]>([
  [
    'Stage.MethodSettings',
    [{ HttpMethod: '*', ResourcePath: '/*', CachingEnabled: true }],
    'MethodSettings.0.CachingEnabled: ',
  ],
  ['Things.PathPart', '{path+}', 'PathPart: greedy parameters are not supported'],
  ['GetThings.HttpMethod', 'ANY', 'HttpMethod: '],
  ['GetThings.AuthorizationType', 'AWS_IAM', 'AuthorizationType: '],
  ['GetThings.AuthorizerId', 'other', 'other is no authorizer of the template'],
  ['GetThings.Integration.Type', 'HTTP_PROXY', 'Integration.Type: '],
  ['GetThings.Integration.CacheKeyParameters', ['a'], 'Integration.CacheKeyParameters is not supported'],
  ['GetThings.Integration.Uri', 'arn:other', 'arn:other is not in the template, or of another type'],
  ['Preflight.Integration.PassthroughBehavior', 'WHEN_NO_MATCH', 'Integration.PassthroughBehavior: '],
  [
    'Preflight.Integration.IntegrationResponses',
    [{ StatusCode: '204', ResponseTemplates: { 'application/json': '$input.params("Origin")' } }],
    'it has a variable that is not supported',
  ],
  ['Missing.ResponseTemplates', { 'application/json': '$context.error.message' }, 'variables are not supported'],
  [
    'Missing.ResponseParameters',
    { 'gatewayresponse.header.Vary': 'method.request.header.Vary' },
    'ResponseParameters.gatewayresponse.header.Vary: ',
  ],
  ['Authorizer.Type', 'REQUEST', 'Type: '],
  ['ApiResponse.Runtime', 'nodejs22.x', 'Runtime: '],
  ['ApiResponse.Handler', 'main.handler', 'Handler: '],
  ['ApiResponse.Code.S3Key', 'other.zip', 'other.zip is no asset of the stack'],
  ['ApiResponse.Timeout', { 'Fn::ImportValue': 'b' }, 'the intrinsic function Fn::ImportValue is not supported'],
  ['ApiResponse.Environment.Variables.A', ref('B'), 'it refers to B, which is no resource of the template'],
  ['ApiResponse.Environment.Variables.A', getAtt('Api', 'Name'), 'the attribute Name of Api is not supported'],
  [
    'ApiResponse.Environment.Variables.A',
    '{{resolve:ssm:b}}',
    'the dynamic reference {{resolve:ssm:b}} is not supported',
  ],
  ['Table.LocalSecondaryIndexes', [], 'LocalSecondaryIndexes is not supported'],
  ['Table.StreamSpecification.StreamViewType', 'OLD_IMAGE', 'StreamSpecification.StreamViewType: '],
  ['Queue.RedrivePolicy.deadLetterTargetArn', 'arn:other', 'arn:other is not in the template, or of another type'],
  ['OfStream.FunctionResponseTypes', [], 'FunctionResponseTypes'],
  ['OfQueue.FunctionResponseTypes', undefined, 'FunctionResponseTypes'],
  ['OfStream.FunctionName', 'other', 'other is no function of the template'],
  ['OfStream.StartingPosition', 'LATEST', 'StartingPosition: '],
  ['OfStream.FilterCriteria.Filters', [{ Pattern: '{"a":[{"prefix":"b"}]}' }], 'Pattern.a: it has an operator that is'],
  ['OfStream.FilterCriteria.Filters', [{ Pattern: '{"$or":[{"a":["b"]}]}' }], 'Pattern.$or: an operator that is not'],
  ['Daily.ScheduleExpression', 'cron(0 12 * * ? *)', 'ScheduleExpression: only rates are supported'],
  ['Daily.State', 'DISABLED', 'State: '],
  ['Daily.EventPattern', { source: ['aws.s3'] }, 'EventPattern is not supported'],
  ['Daily.Targets', [{ Arn: 'arn:other', Id: 'Target0' }], 'arn:other is not in the template, or of another type'],
  ['OfQueue.BatchSize', 10, 'BatchSize: '],
  ['OfQueue.FilterCriteria.Filters', [{ Pattern: '{}' }], 'FilterCriteria is not supported'],
  ['OfQueue.StartingPosition', 'LATEST', 'StartingPosition is not supported'],
  ['Bucket.VersioningConfiguration', { Status: 'Enabled' }, 'VersioningConfiguration is not supported'],
  [
    'Bucket.LifecycleConfiguration.Rules',
    [{ Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, ExpirationInDays: 30 }],
    'LifecycleConfiguration.Rules.0.ExpirationInDays is not supported',
  ],
  ['Secret.GenerateSecretString.ExcludePunctuation', false, 'GenerateSecretString.ExcludePunctuation: '],
])('refuses %s = %j by name', async (change, value, message) => {
  const [id = ''] = change.split('.');
  const type = Object.entries(whole).find(([name]) => name === id)?.[1].Type;
  const refusal = await read(changed(change, value)).then(
    () => 'served',
    ({ message }) => message,
  );
  expect(refusal).toContain(`The local host cannot serve ${id} (${type}): `);
  expect(refusal).toContain(message);
});

test.each<[resource: string, resources: Resources, message: string]>([
  [
    'another type',
    { ...whole, Topic: { Type: 'AWS::SNS::Topic' } },
    'The local host cannot serve Topic (AWS::SNS::Topic): the type is not supported',
  ],
  [
    'two sources of one stream for a function',
    { ...whole, Again: whole.OfStream },
    'Again (AWS::Lambda::EventSourceMapping): ApiResponse has a second event source of the same stream',
  ],
  [
    'a condition',
    { ...whole, DeadLetters: { ...whole.DeadLetters, Condition: 'Sometimes' } },
    'The local host cannot serve DeadLetters (AWS::SQS::Queue): its condition Sometimes is not supported',
  ],
  [
    'no API',
    { DeadLetters: whole.DeadLetters },
    'The local host cannot serve 0 resources of type AWS::ApiGateway::RestApi: exactly one is supported',
  ],
])('refuses %s', async (_, resources, message) => {
  await expect(read(resources)).rejects.toThrow(message);
});

const rateRule = (Limit: number, scope: object = {}) => ({
  Name: 'Rule',
  Priority: 0,
  Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit, ...scope } },
});

const matching = (FieldToMatch: object, RegexString: string, Type: string) => ({
  RegexMatchStatement: { FieldToMatch, RegexString, TextTransformations: [{ Priority: 0, Type }] },
});

const posts = {
  ScopeDownStatement: {
    AndStatement: {
      Statements: [
        matching({ Method: {} }, '^(POST)$', 'NONE'),
        matching({ UriPath: {} }, '(/contact)/*$', 'URL_DECODE'),
      ],
    },
  },
};

const aclOf = (...Rules: readonly object[]) => ({
  ...whole,
  Acl: { Type: 'AWS::WAFv2::WebACL', Properties: { Rules } },
});

test('reads the limits of a web ACL, and leaves rules out that only AWS has', async () => {
  const managed = { Name: 'Managed', Statement: { ManagedRuleGroupStatement: { VendorName: 'AWS' } } };
  const { addressLimits } = await read(aclOf(rateRule(100, posts), rateRule(2000), managed));
  const sent = [
    ['POST', '/contact'],
    ['POST', '/live/cont%61ct//'],
    ['POST', '/contact/%'],
    ['GET', '/contact'],
  ] as const;
  expect(
    addressLimits.map(({ requests, windowSeconds, covers }) => [
      requests,
      windowSeconds,
      ...sent.map(([method, path]) => covers(method, path)),
    ]),
  ).toEqual([
    [100, 300, true, true, false, false],
    [2000, 300, true, true, true, true],
  ]);
});

test('refuses a rule of a web ACL that it does not know', async () => {
  const rule = { Name: 'Countries', Statement: { GeoMatchStatement: { CountryCodes: ['DE'] } } };
  await expect(read(aclOf(rule))).rejects.toThrow(/^The local host cannot serve Acl \(AWS::WAFv2::WebACL\): Rules\.0/);
});
