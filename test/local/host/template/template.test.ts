import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTemplate } from '../../../../lib/local/host/template/template.ts';
import { testFolder } from '../test-tables.ts';

interface Resource {
  readonly Type: string;
  readonly Condition?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

const ref = (name: string) => ({ Ref: name });
const getAtt = (name: string, attribute: string) => ({ 'Fn::GetAtt': [name, attribute] });
const concatenated = (...parts: readonly unknown[]) => ({ 'Fn::Join': ['', parts] });

const uriOf = (name: string) =>
  concatenated('arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/', getAtt(name, 'Arn'), '/invocations');

/** A stack with one resource of each type that is served. */
const whole = {
  Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { BinaryMediaTypes: ['Multipart/Form-Data'] } },
  Stage: {
    Type: 'AWS::ApiGateway::Stage',
    Properties: {
      RestApiId: ref('Api'),
      StageName: 'live',
      MethodSettings: [
        { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 },
        { HttpMethod: 'GET', ResourcePath: '/~1things~1{id}', ThrottlingRateLimit: 3, ThrottlingBurstLimit: 4 },
      ],
    },
  },
  Things: {
    Type: 'AWS::ApiGateway::Resource',
    Properties: { ParentId: getAtt('Api', 'RootResourceId'), PathPart: 'things', RestApiId: ref('Api') },
  },
  Thing: {
    Type: 'AWS::ApiGateway::Resource',
    Properties: { ParentId: ref('Things'), PathPart: '{id}', RestApiId: ref('Api') },
  },
  GetThing: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      AuthorizationType: 'CUSTOM',
      AuthorizerId: ref('Authorizer'),
      HttpMethod: 'GET',
      Integration: { IntegrationHttpMethod: 'POST', Type: 'AWS_PROXY', Uri: uriOf('Answer') },
      ResourceId: ref('Thing'),
    },
  },
  Preflight: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      AuthorizationType: 'NONE',
      HttpMethod: 'OPTIONS',
      Integration: {
        IntegrationResponses: [
          {
            ResponseParameters: { 'method.response.header.Vary': "'Origin'" },
            ResponseTemplates: { 'application/json': '$input.params("Origin")' },
            StatusCode: '204',
          },
        ],
        PassthroughBehavior: 'NEVER',
        RequestTemplates: { 'application/json': '{ "statusCode": 204 }' },
        Type: 'MOCK',
      },
      ResourceId: ref('Things'),
    },
  },
  Missing: {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: {
      ResponseParameters: { 'gatewayresponse.header.Vary': "'Origin'" },
      ResponseTemplates: { 'application/json': '{"error":"Not Found"}' },
      ResponseType: 'MISSING_AUTHENTICATION_TOKEN',
      StatusCode: '404',
    },
  },
  Authorizer: {
    Type: 'AWS::ApiGateway::Authorizer',
    Properties: {
      AuthorizerResultTtlInSeconds: 30,
      AuthorizerUri: uriOf('Judge'),
      IdentitySource: 'method.request.header.Authentication',
      IdentityValidationExpression: 'a|b',
      Type: 'TOKEN',
    },
  },
  Judge: {
    Type: 'AWS::Lambda::Function',
    Properties: { Code: { S3Key: 'judge.zip' }, Handler: 'index.handler', Runtime: 'nodejs24.x' },
  },
  Answer: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: { 'Fn::Sub': 'ignored' }, S3Key: 'answer.zip' },
      Environment: {
        Variables: { TABLE: ref('Table'), QUEUE: ref('Queue'), SECRET: ref('Secret'), SET: ref('Mails') },
      },
      Handler: 'index.handler',
      MemorySize: 512,
      Runtime: 'nodejs24.x',
      Timeout: 10,
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
  Named: {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'list',
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      TableName: 'named',
    },
  },
  Queue: {
    Type: 'AWS::SQS::Queue',
    Properties: {
      RedrivePolicy: { deadLetterTargetArn: getAtt('DeadLetters', 'Arn'), maxReceiveCount: 960 },
      VisibilityTimeout: 90,
    },
  },
  DeadLetters: { Type: 'AWS::SQS::Queue', Properties: { MessageRetentionPeriod: 1_209_600 } },
  Lost: { Type: 'AWS::SQS::Queue' },
  OfStream: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      BatchSize: 10,
      BisectBatchOnFunctionError: true,
      DestinationConfig: { OnFailure: { Destination: getAtt('Lost', 'Arn') } },
      EventSourceArn: getAtt('Table', 'StreamArn'),
      FilterCriteria: {
        Filters: [
          {
            Pattern: '{"eventName":["INSERT"],"dynamodb":{"NewImage":{"listPartition":{"S":["inbox"]}}}}',
          },
        ],
      },
      FunctionName: ref('Answer'),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 3600,
      MaximumRetryAttempts: -1,
      MetricsConfig: { Metrics: ['EventCount'] },
      StartingPosition: 'TRIM_HORIZON',
    },
  },
  OfQueue: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      BatchSize: 1,
      Enabled: false,
      EventSourceArn: getAtt('Queue', 'Arn'),
      FunctionName: getAtt('Answer', 'Arn'),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    },
  },
  Secret: {
    Type: 'AWS::SecretsManager::Secret',
    Properties: { GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 44 } },
  },
  Identity: { Type: 'AWS::SES::EmailIdentity', Properties: { EmailIdentity: 'office@example.com' } },
  Mails: { Type: 'AWS::SES::ConfigurationSet', Properties: { Name: { 'Fn::ImportValue': 'not resolved' } } },
  Alarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { Anything: { 'Fn::ImportValue': 'not resolved' } } },
} satisfies Record<string, Resource>;

type Resources = Readonly<Record<string, Resource>>;

/** Reads a template, as the CDK leaves it in a folder. */
const read = (Resources: Resources, Outputs: Readonly<Record<string, { readonly Value: unknown }>> = {}) => {
  const directory = testFolder();
  mkdirSync(directory, { recursive: true });
  const files = Object.fromEntries(
    ['judge', 'answer'].map((name) => [
      name,
      { source: { path: `asset.${name}` }, destinations: { current: { objectKey: `${name}.zip` } } },
    ]),
  );
  writeFileSync(join(directory, 'Stack.template.json'), JSON.stringify({ Resources, Outputs }));
  writeFileSync(join(directory, 'Stack.assets.json'), JSON.stringify({ files }));
  return readTemplate({ directory, stackName: 'Stack' }).then((template) => ({
    ...template,
    directory,
  }));
};

const tableArn = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
const lambdaArn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
const sqsArn = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const queueUrl = 'http://127.0.0.1/000000000000/Queue';
const secretArn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Secret';

test('reads functions with their variables, tables, queues and secrets', async () => {
  const { directory, ...template } = await read(whole);
  expect(template.functions).toEqual([
    {
      ...{ name: 'Judge', arn: lambdaArn('Judge'), folder: join(directory, 'asset.judge') },
      ...{ variables: {}, timeoutSeconds: 3, memoryMegabytes: 128 },
    },
    {
      ...{ name: 'Answer', arn: lambdaArn('Answer'), folder: join(directory, 'asset.answer') },
      variables: { TABLE: 'local-Table', QUEUE: queueUrl, SECRET: secretArn, SET: 'Mails' },
      ...{ timeoutSeconds: 10, memoryMegabytes: 512 },
    },
  ]);
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = whole.Named.Properties;
  expect(template.tables).toEqual([
    {
      name: 'local-Table',
      shape: { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: [] },
      streamArn: `${tableArn('local-Table')}/stream/local`,
    },
    {
      name: 'named',
      shape: { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes },
      streamArn: `${tableArn('named')}/stream/local`,
    },
  ]);
  expect(template.queues).toEqual([
    {
      ...{ name: 'Queue', arn: sqsArn('Queue'), visibilityTimeoutSeconds: 90, retentionSeconds: 345_600 },
      redrive: { deadLetters: 'DeadLetters', maxReceiveCount: 960 },
    },
    {
      ...{ name: 'DeadLetters', arn: sqsArn('DeadLetters') },
      ...{ visibilityTimeoutSeconds: 30, retentionSeconds: 1_209_600 },
    },
    { name: 'Lost', arn: sqsArn('Lost'), visibilityTimeoutSeconds: 30, retentionSeconds: 345_600 },
  ]);
  expect(template.secrets).toEqual([{ name: 'Secret', arn: secretArn, length: 44 }]);
});

test('reads the API', async () => {
  const { restApi } = await read(whole);
  expect(restApi).toEqual({
    ...{ id: 'Api', stage: 'live', binaryMediaTypes: ['multipart/form-data'] },
    methods: [
      {
        ...{ httpMethod: 'GET', resourcePath: '/things/{id}', throttle: { rate: 3, burst: 4 } },
        authorizer: {
          ...{ functionArn: lambdaArn('Judge'), header: 'Authentication', ttlSeconds: 30 },
          tokenPattern: /^(?:a|b)$/,
        },
        integration: lambdaArn('Answer'),
      },
      {
        ...{ httpMethod: 'OPTIONS', resourcePath: '/things', throttle: { rate: 1, burst: 2 } },
        integration: { statusCode: 204, headers: [['Vary', 'Origin']], body: '$input.params("Origin")' },
      },
    ],
    gatewayResponses: new Map([
      [
        'MISSING_AUTHENTICATION_TOKEN',
        { statusCode: 404, headers: [['Vary', 'Origin']], body: '{"error":"Not Found"}' },
      ],
    ]),
  });
});

test('reads the event sources of a stream and of a queue', async () => {
  const { queues, streamSources, queueSources } = await read(whole);
  expect(streamSources).toEqual([
    {
      ...{ tableName: 'local-Table', functionArn: lambdaArn('Answer'), batchSize: 10, enabled: true },
      filters: [{ eventName: ['INSERT'], dynamodb: { NewImage: { listPartition: { S: ['inbox'] } } } }],
    },
  ]);
  expect(queueSources).toEqual([
    { queue: queues[0], functionArn: lambdaArn('Answer'), batchSize: 1, maximumConcurrency: 2, enabled: false },
  ]);
});

test('resolves the outputs', async () => {
  const judgeArn = getAtt('Judge', 'Arn');
  const { outputs } = await read(whole, {
    Joined: { Value: concatenated(ref('Api'), '.', ref('AWS::Region'), '.', ref('AWS::URLSuffix'), '/', ref('Stage')) },
    Selected: { Value: { 'Fn::Select': [3, { 'Fn::Split': [':', judgeArn] }] } },
    Static: { Value: 'text' },
  });
  expect(outputs).toEqual({ Joined: 'Api.us-east-1.amazonaws.com/live', Selected: 'us-east-1', Static: 'text' });
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

test.each<[change: string, value: unknown, message: string]>([
  [
    'Stage.MethodSettings',
    [{ HttpMethod: '*', ResourcePath: '/*', CachingEnabled: true }],
    'MethodSettings.0.CachingEnabled: ',
  ],
  ['Thing.PathPart', '{path+}', 'PathPart: greedy parameters are not supported'],
  ['GetThing.HttpMethod', 'ANY', 'HttpMethod: '],
  ['GetThing.AuthorizationType', 'AWS_IAM', 'AuthorizationType: '],
  ['GetThing.AuthorizerId', 'other', 'other is no authorizer of the template'],
  ['GetThing.Integration.Type', 'HTTP_PROXY', 'Integration.Type: '],
  ['GetThing.Integration.CacheKeyParameters', ['a'], 'Integration.CacheKeyParameters is not supported'],
  ['GetThing.Integration.Uri', 'arn:other', 'arn:other is not in the template, or of another type'],
  ['Preflight.Integration.PassthroughBehavior', 'WHEN_NO_MATCH', 'Integration.PassthroughBehavior: '],
  [
    'Preflight.Integration.IntegrationResponses',
    [{ StatusCode: '204', SelectionPattern: 'a' }],
    'SelectionPattern is not supported',
  ],
  [
    'Preflight.Integration.IntegrationResponses',
    [{ StatusCode: '204', ResponseTemplates: { 'application/json': '$input.json("$")' } }],
    'it has a variable that is not supported',
  ],
  ['Missing.ResponseTemplates', { 'application/json': '$context.error.message' }, 'variables are not supported'],
  [
    'Missing.ResponseParameters',
    { 'gatewayresponse.header.Vary': 'method.request.header.Vary' },
    'ResponseParameters.gatewayresponse.header.Vary: ',
  ],
  ['Authorizer.Type', 'REQUEST', 'Type: '],
  ['Judge.Runtime', 'nodejs22.x', 'Runtime: '],
  ['Judge.Handler', 'main.handler', 'Handler: '],
  ['Judge.Code', { S3Key: 'other.zip' }, 'other.zip is no asset of the stack'],
  [
    'Judge.Environment.Variables.A',
    { 'Fn::ImportValue': 'b' },
    'the intrinsic function Fn::ImportValue is not supported',
  ],
  ['Judge.Environment.Variables.A', ref('B'), 'it refers to B, which is no resource of the template'],
  ['Judge.Environment.Variables.A', getAtt('Api', 'RestApiId'), 'the attribute RestApiId of Api is not supported'],
  ['Judge.Environment.Variables.A', '{{resolve:ssm:b}}', 'the dynamic reference {{resolve:ssm:b}} is not supported'],
  ['Table.LocalSecondaryIndexes', [], 'LocalSecondaryIndexes is not supported'],
  ['Table.StreamSpecification.StreamViewType', 'OLD_IMAGE', 'StreamSpecification.StreamViewType: '],
  ['Queue.RedrivePolicy.deadLetterTargetArn', 'arn:other', 'arn:other is not in the template, or of another type'],
  ['OfStream.FunctionResponseTypes', [], 'FunctionResponseTypes'],
  ['OfQueue.EventSourceArn', 'arn:other', 'arn:other is not in the template, or of another type'],
  ['OfStream.FunctionName', 'other', 'other is no function of the template'],
  ['OfStream.StartingPosition', 'LATEST', 'StartingPosition: '],
  [
    'OfStream.FilterCriteria.Filters',
    [{ Pattern: '{"a":[{"anything-but":"b"}]}' }],
    'Pattern.a: it has an operator that is not supported',
  ],
  [
    'OfStream.FilterCriteria.Filters',
    [{ Pattern: '{"$or":[{"a":["b"]}]}' }],
    'Pattern.$or: an operator that is not supported',
  ],
  ['OfQueue.FilterCriteria.Filters', [{ Pattern: '{}' }], 'FilterCriteria.Filters is not supported'],
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

test.each<[string, Resources, string]>([
  [
    'another type',
    { ...whole, Bucket: { Type: 'AWS::S3::Bucket' } },
    'The local host cannot serve Bucket (AWS::S3::Bucket): the type is not supported',
  ],
  [
    'a condition',
    { ...whole, Lost: { ...whole.Lost, Condition: 'Sometimes' } },
    'The local host cannot serve Lost (AWS::SQS::Queue): its condition Sometimes is not supported',
  ],
  [
    'no API',
    { Lost: whole.Lost },
    'The local host cannot serve 0 resources of type AWS::ApiGateway::RestApi: exactly one is supported',
  ],
])('refuses %s', async (_, resources, message) => {
  await expect(read(resources)).rejects.toThrow(message);
});
