import {
  Aws,
  CfnCondition,
  CfnMapping,
  CfnOutput,
  CfnParameter,
  CfnResource,
  Duration,
  Fn,
  SecretValue,
} from 'aws-cdk-lib';
import {
  HttpIntegration,
  IdentitySource,
  MockIntegration,
  RequestAuthorizer,
  ResponseType,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { readTemplate } from '../../../../lib/local/host/template/template.ts';
import { synthesize, type TestStack, temporaryFolder } from '../test-host.ts';

const read = (build: (stack: TestStack) => void) => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return readTemplate(synthesize(folder, build), 'http://127.0.0.1:4321');
};

const mockIntegration = (template?: string) =>
  new MockIntegration({
    requestTemplates: { 'application/json': '{ "statusCode": 200 }' },
    integrationResponses: [
      { statusCode: '200', ...(template && { responseTemplates: { 'application/json': template } }) },
    ],
  });

const addMock = (stack: TestStack, template?: string) =>
  stack.api({}).root.addMethod('GET', mockIntegration(template), { methodResponses: [{ statusCode: '200' }] });

const addApi = (stack: TestStack) => stack.api({ 'GET /': stack.echo('Echo', '1') });

/** Changes a property of a construct's resource in the template. */
const override = (
  construct: { readonly node: { readonly defaultChild?: unknown } },
  property: string,
  value: unknown,
) => {
  const { defaultChild } = construct.node;
  if (defaultChild instanceof CfnResource) defaultChild.addPropertyOverride(property, value);
};

test.each<[string, (stack: TestStack) => void, RegExp]>([
  [
    'a resource type',
    (stack) => new CfnResource(stack, 'Bucket', { type: 'AWS::S3::Bucket' }),
    /cannot serve Bucket: the resource type AWS::S3::Bucket is not supported$/,
  ],
  [
    'a condition',
    (stack) => {
      const condition = new CfnCondition(stack, 'Sometimes', { expression: Fn.conditionEquals('a', 'b') });
      const table = new TableV2(stack, 'Table', { partitionKey: { name: 'id', type: AttributeType.STRING } });
      if (table.node.defaultChild instanceof CfnResource) table.node.defaultChild.cfnOptions.condition = condition;
    },
    /Table\w+ \(AWS::DynamoDB::GlobalTable\): its condition Sometimes is not supported$/,
  ],
  [
    'an intrinsic function',
    (stack) => stack.echo('Echo', '1').addEnvironment('SHARED', Fn.importValue('something')),
    /Echo\w+ \(AWS::Lambda::Function\): the intrinsic function Fn::ImportValue is not supported$/,
  ],
  [
    'a mapping without the key',
    (stack) => {
      const mapping = new CfnMapping(stack, 'Sizes', { mapping: { 'aws-cn': { size: '1' } } });
      stack.echo('Echo', '1').addEnvironment('SIZE', mapping.findInMap(Aws.PARTITION, 'size'));
    },
    /Echo\w+ \(AWS::Lambda::Function\): Fn::FindInMap finds nothing at Sizes\.aws\.size$/,
  ],
  [
    'a reference to what is no resource',
    (stack) => stack.echo('Echo', '1').addEnvironment('SIZE', new CfnParameter(stack, 'Size').valueAsString),
    /Echo\w+ \(AWS::Lambda::Function\): it refers to Size, which is no resource of the template$/,
  ],
  [
    'a secret in a variable',
    (stack) => {
      const secret = SecretValue.secretsManager('key').unsafeUnwrap();
      stack.echo('Echo', '1').addEnvironment('KEY', secret);
    },
    /Echo\w+ \(AWS::Lambda::Function\): the dynamic reference \{\{resolve:secretsmanager:.*\}\} is not supported$/,
  ],
  [
    'a runtime',
    (stack) => override(stack.echo('Echo', '1'), 'Runtime', 'nodejs22.x'),
    /Echo\w+ \(AWS::Lambda::Function\): Runtime: .*"nodejs24.x".*"nodejs22.x"$/,
  ],
  [
    'a function without an asset',
    (stack) =>
      new LambdaFunction(stack, 'Inline', {
        runtime: Runtime.NODEJS_24_X,
        handler: 'index.handler',
        code: Code.fromInline('exports.handler = () => {};'),
      }),
    /Inline\w+ \(AWS::Lambda::Function\): Code\.S3Key: /,
  ],
  [
    "a handler that is not in the function's bundle",
    (stack) => override(stack.echo('Echo', '1'), 'Handler', 'main.handler'),
    /Echo\w+ \(AWS::Lambda::Function\): its asset holds no main\.mjs$/,
  ],
  [
    'layers',
    (stack) => override(stack.echo('Echo', '1'), 'Layers', ['arn']),
    /Echo\w+ \(AWS::Lambda::Function\): Layers is not supported$/,
  ],
  [
    'a local index of a table',
    (stack) =>
      new TableV2(stack, 'Table', {
        partitionKey: { name: 'id', type: AttributeType.STRING },
        sortKey: { name: 'time', type: AttributeType.STRING },
        localSecondaryIndexes: [{ indexName: 'other', sortKey: { name: 'name', type: AttributeType.STRING } }],
      }),
    /Table\w+ \(AWS::DynamoDB::GlobalTable\): LocalSecondaryIndexes is not supported$/,
  ],
  [
    'an integration type',
    (stack) => stack.api({}).root.addMethod('GET', new HttpIntegration('https://www.example.com')),
    /ApiGET\w+ \(AWS::ApiGateway::Method\): Integration\.Type: .*"AWS_PROXY" \| "MOCK".*"HTTP_PROXY"$/,
  ],
  [
    'a function of another stack',
    (stack) => {
      const { root } = stack.api({ 'GET /': stack.echo('Echo', '1') });
      const uri = 'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:elsewhere/invocations';
      for (const method of root.node.findAll()) override(method, 'Integration.Uri', uri);
    },
    /\(AWS::ApiGateway::Method\): arn:elsewhere is no function of the template$/,
  ],
  [
    'another authorizer than TOKEN',
    (stack) => {
      const authorizer = new RequestAuthorizer(stack, 'Authorizer', {
        handler: stack.echo('Echo', '1'),
        identitySources: [IdentitySource.header('Authentication')],
      });
      stack.api({}).root.addMethod('GET', mockIntegration(), { authorizer });
    },
    /Authorizer\w+ \(AWS::ApiGateway::Authorizer\): Type: .*"TOKEN".*"REQUEST"$/,
  ],
  [
    'a pattern that is no regular expression here',
    (stack) => {
      const authorizer = new TokenAuthorizer(stack, 'Authorizer', {
        handler: stack.echo('Echo', '1'),
        validationRegex: '(?i)bearer .*',
        resultsCacheTtl: Duration.seconds(0),
      });
      stack.api({}).root.addMethod('GET', mockIntegration(), { authorizer });
    },
    /Authorizer\w+ \(AWS::ApiGateway::Authorizer\): IdentityValidationExpression: "\(\?i\)bearer \.\*" is no regular/,
  ],
  [
    'authorization by IAM',
    (stack) => override(addMock(stack), 'AuthorizationType', 'AWS_IAM'),
    /ApiGET\w+ \(AWS::ApiGateway::Method\): AuthorizationType: .*"AWS_IAM"$/,
  ],
  [
    'an API key',
    (stack) => override(addMock(stack), 'ApiKeyRequired', true),
    /ApiGET\w+ \(AWS::ApiGateway::Method\): ApiKeyRequired: /,
  ],
  [
    'a request validator',
    (stack) => override(addMock(stack), 'RequestValidatorId', 'id'),
    /ApiGET\w+ \(AWS::ApiGateway::Method\): RequestValidatorId is not supported$/,
  ],
  [
    'a mapping template with more than $input.params and $context',
    (stack) => addMock(stack, '{ "body": $input.json("$") }'),
    /ApiGET\w+ \(AWS::ApiGateway::Method\): Integration\.IntegrationResponses\.0\.ResponseTemplates\.application\/json: /,
  ],
  [
    'a mapping template that does not parse',
    (stack) => addMock(stack, '#if('),
    /ApiGET\w+ \(AWS::ApiGateway::Method\): Integration\.IntegrationResponses\.0\.ResponseTemplates\.application\/json: /,
  ],
  [
    'a gateway response with an unknown variable',
    (stack) =>
      addApi(stack).addGatewayResponse('Missing', {
        type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
        templates: { 'application/json': '{"ip":"$context.identity.sourceIp"}' },
      }),
    /\(AWS::ApiGateway::GatewayResponse\): ResponseTemplates\.application\/json: .* a variable that is not supported$/,
  ],
  [
    'a gateway response with a header of the request',
    (stack) =>
      addApi(stack).addGatewayResponse('Missing', {
        type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
        responseHeaders: { 'X-Q': 'method.request.header.Origin' },
      }),
    /\(AWS::ApiGateway::GatewayResponse\): ResponseParameters\.gatewayresponse\.header\.X-Q: /,
  ],
  [
    'a cache',
    (stack) => override(addApi(stack).deploymentStage, 'CacheClusterEnabled', true),
    /\(AWS::ApiGateway::Stage\): CacheClusterEnabled is not supported$/,
  ],
  [
    'a resource policy',
    (stack) => override(addApi(stack), 'Policy', 'any'),
    /Api\w+ \(AWS::ApiGateway::RestApi\): Policy is not supported$/,
  ],
  [
    'a secret with other characters than letters and digits',
    (stack) => new Secret(stack, 'Secret'),
    /Secret\w+ \(AWS::SecretsManager::Secret\): GenerateSecretString\.ExcludePunctuation: /,
  ],
  ['no API', (stack) => new Queue(stack, 'Queue'), /0 resources of type AWS::ApiGateway::RestApi: exactly one/],
])('%s is refused by name', async (_, build, message) => {
  await expect(read(build)).rejects.toThrow(message);
});

test('a value is looked up in a mapping', async () => {
  const { outputs } = await read((stack) => {
    addMock(stack);
    const mapping = new CfnMapping(stack, 'Consoles', { mapping: { aws: { domain: 'console.aws' } } });
    new CfnOutput(stack, 'Console', { value: `https://${mapping.findInMap(Aws.PARTITION, 'domain')}/` });
  });
  expect(outputs['Console']).toBe('https://console.aws/');
});

test('what has no effect on a request is not in the way', async () => {
  const { outputs } = await read((stack) => {
    addMock(stack);
    stack.exportValue(new Queue(stack, 'Queue').queueArn, { name: 'QueueArn' });
  });
  expect(Object.values(outputs)).toContainEqual(expect.stringMatching(/^arn:aws:sqs:us-east-1:000000000000:Queue/));
});

test('a queue is referred to by its URL, which the SDK calls; a secret and a topic by their ARN', async () => {
  const { outputs } = await read((stack) => {
    addMock(stack);
    new CfnOutput(stack, 'OfQueue', { value: new Queue(stack, 'Queue').queueUrl });
    new CfnOutput(stack, 'OfNamedQueue', { value: new Queue(stack, 'Named', { queueName: 'named' }).queueUrl });
    const generateSecretString = { excludePunctuation: true };
    const secret = new Secret(stack, 'Secret', { secretName: 'a/secret', generateSecretString });
    new CfnOutput(stack, 'OfSecret', { value: secret.secretArn });
    new CfnOutput(stack, 'OfTopic', { value: new Topic(stack, 'Topic').topicArn });
  });
  expect(outputs).toMatchObject({
    OfQueue: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4321\/000000000000\/Queue\w+$/),
    OfNamedQueue: 'http://127.0.0.1:4321/000000000000/named',
    OfSecret: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:a/secret',
    OfTopic: expect.stringMatching(/^arn:aws:sns:us-east-1:000000000000:Topic\w+$/),
  });
});
