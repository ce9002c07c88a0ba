import type * as v from 'valibot';
import { isObject, parse, type Resolver, refuse, type TemplateResource } from './intrinsics.ts';

/**
 * The served types of resources, with the properties that are used and those that have no effect locally. A dot leads into an
 * object.
 */
const served = {
  'AWS::ApiGateway::Authorizer': {
    used: ['AuthorizerResultTtlInSeconds', 'AuthorizerUri', 'IdentitySource', 'IdentityValidationExpression', 'Type'],
    ignored: ['AuthType', 'Name', 'RestApiId'],
  },
  'AWS::ApiGateway::GatewayResponse': {
    used: ['ResponseParameters', 'ResponseTemplates', 'ResponseType', 'StatusCode'],
    ignored: ['RestApiId'],
  },
  'AWS::ApiGateway::Method': {
    used: [
      'AuthorizationType',
      'AuthorizerId',
      'HttpMethod',
      'Integration.IntegrationResponses',
      'Integration.PassthroughBehavior',
      'Integration.RequestTemplates',
      'Integration.Type',
      'Integration.Uri',
      'ResourceId',
    ],
    ignored: ['Integration.IntegrationHttpMethod', 'MethodResponses', 'RestApiId'],
  },
  'AWS::ApiGateway::Resource': {
    used: ['ParentId', 'PathPart'],
    ignored: ['RestApiId'],
  },
  'AWS::ApiGateway::RestApi': {
    used: ['BinaryMediaTypes'],
    ignored: [
      'Description',
      'DisableExecuteApiEndpoint',
      'EndpointAccessMode',
      'EndpointConfiguration',
      'Name',
      'SecurityPolicy',
    ],
  },
  'AWS::ApiGateway::Stage': {
    used: ['MethodSettings', 'StageName'],
    ignored: ['AccessLogSetting', 'DeploymentId', 'RestApiId', 'TracingEnabled'],
  },
  'AWS::DynamoDB::GlobalTable': {
    used: [
      'AttributeDefinitions',
      'GlobalSecondaryIndexes',
      'KeySchema',
      'StreamSpecification.StreamViewType',
      'TableName',
    ],
    ignored: ['BillingMode', 'Replicas', 'SSESpecification', 'TimeToLiveSpecification'],
  },
  'AWS::Lambda::EventSourceMapping': {
    used: [
      'BatchSize',
      'Enabled',
      'EventSourceArn',
      'FilterCriteria.Filters',
      'FunctionName',
      'FunctionResponseTypes',
      'ScalingConfig.MaximumConcurrency',
      'StartingPosition',
    ],
    // The local host retries a record until it succeeds.
    ignored: [
      'BisectBatchOnFunctionError',
      'DestinationConfig',
      'MaximumRecordAgeInSeconds',
      'MaximumRetryAttempts',
      'MetricsConfig',
    ],
  },
  'AWS::Lambda::Function': {
    used: ['Code.S3Key', 'Environment.Variables', 'Handler', 'MemorySize', 'Runtime', 'Timeout'],
    ignored: [
      'Architectures',
      'Code.S3Bucket',
      'Description',
      'LoggingConfig',
      'ReservedConcurrentExecutions',
      'Role',
      'TracingConfig',
    ],
  },
  'AWS::SQS::Queue': {
    used: ['RedrivePolicy', 'VisibilityTimeout'],
    // The local host keeps messages until they are delivered.
    ignored: ['KmsMasterKeyId', 'MessageRetentionPeriod', 'RedriveAllowPolicy', 'SqsManagedSseEnabled'],
  },
  'AWS::SecretsManager::Secret': {
    used: ['GenerateSecretString.ExcludePunctuation', 'GenerateSecretString.PasswordLength'],
    ignored: ['Description', 'KmsKeyId'],
  },
} as const satisfies Record<string, { readonly used: readonly string[]; readonly ignored: readonly string[] }>;

type ServedType = keyof typeof served;

/** The types, and whole services (ending in `::`), that have no effect locally. */
const ignoredTypes = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::DomainName',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::',
  'AWS::IAM::',
  'AWS::Lambda::Permission',
  'AWS::Logs::',
  'AWS::Route53::',
  'AWS::SES::',
  'AWS::SNS::',
  'AWS::SQS::QueuePolicy',
  'AWS::WAFv2::',
];

const isServed = (type: string): type is ServedType => Object.hasOwn(served, type);

const isIgnored = (type: string): boolean =>
  ignoredTypes.some((ignored) => (ignored.endsWith('::') ? type.startsWith(ignored) : type === ignored));

const refuseUnknownProperties = (properties: object, known: readonly string[], where: string, prefix = ''): void => {
  for (const [name, value] of Object.entries(properties)) {
    const path = prefix + name;
    if (known.includes(path) || path === 'Tags') continue;
    const leadsToKnown = known.some((each) => each.startsWith(`${path}.`));
    if (!leadsToKnown || !isObject(value)) refuse(where, `${path} is not supported`);
    else refuseUnknownProperties(value, known, where, `${path}.`);
  }
};

/** A resource of a served type. */
export interface Resource<Path extends string> {
  readonly name: string;
  readonly arn: string;
  /** The resource's name in a refusal. */
  readonly where: string;
  /** Reads a property, its intrinsic functions resolved. */
  get<Output>(path: Path, schema: v.GenericSchema<unknown, Output>): Output;
}

/** Gives the resources of a type. */
export type Resources = <Type extends ServedType>(
  type: Type,
) => readonly Resource<(typeof served)[Type]['used'][number]>[];

/**
 * Reads the resources of a template. A property is parsed when `get` asks for it.
 * @throws {Error} one line that names an unsupported type or property
 */
export const createResources = (
  resources: Readonly<Record<string, TemplateResource>>,
  { resolve, nameOf, arnOf }: Resolver,
): Resources => {
  for (const [logicalId, { Type, Properties, Condition }] of Object.entries(resources)) {
    const where = `${logicalId} (${Type})`;
    if (isServed(Type)) {
      if (Condition !== undefined) refuse(where, `its condition ${Condition} is not supported`);
      refuseUnknownProperties(Properties, [...served[Type].used, ...served[Type].ignored], where);
    } else if (!isIgnored(Type)) refuse(where, 'the type is not supported');
  }
  return (type) =>
    Object.entries(resources)
      .filter(([, { Type }]) => Type === type)
      .map(([logicalId, { Properties }]) => {
        const where = `${logicalId} (${type})`;
        return {
          name: nameOf(logicalId, where),
          arn: arnOf(logicalId, where),
          where,
          get: (path, schema) => {
            let value: unknown = Properties;
            for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
            return parse(schema, resolve(value, where), where, path);
          },
        };
      });
};

/** Gives the one resource of a type. */
export const singleResource = <Type extends ServedType>(resources: Resources, type: Type) => {
  const [resource, ...others] = resources(type);
  return resource && others.length === 0
    ? resource
    : refuse(`${others.length + (resource ? 1 : 0)} resources of type ${type}`, 'exactly one is supported');
};
