import type * as v from 'valibot';
import { isObject, nameProperties, parse, type Resolver, refuse, type TemplateResource } from './intrinsics.ts';

/**
 * The served types of resources, with their properties that have no effect locally. A dot leads into an object. All other
 * properties must be read.
 */
const ignoredProperties = {
  'AWS::ApiGateway::Authorizer': ['AuthType', 'Name', 'RestApiId'],
  'AWS::ApiGateway::GatewayResponse': ['RestApiId'],
  'AWS::ApiGateway::Method': ['Integration.IntegrationHttpMethod', 'MethodResponses', 'RestApiId'],
  'AWS::ApiGateway::Resource': ['RestApiId'],
  'AWS::ApiGateway::RestApi': [
    'Description',
    'DisableExecuteApiEndpoint',
    'EndpointAccessMode',
    'EndpointConfiguration',
    'Name',
    'SecurityPolicy',
  ],
  'AWS::ApiGateway::Stage': ['AccessLogSetting', 'DeploymentId', 'RestApiId', 'TracingEnabled'],
  'AWS::DynamoDB::GlobalTable': ['BillingMode', 'Replicas', 'SSESpecification'],
  'AWS::Events::Rule': ['Description', 'Name'],
  // The local host retries a record until it succeeds.
  'AWS::Lambda::EventSourceMapping': [
    'BisectBatchOnFunctionError',
    'DestinationConfig',
    'MaximumRecordAgeInSeconds',
    'MaximumRetryAttempts',
  ],
  'AWS::Lambda::Function': ['Architectures', 'Code.S3Bucket', 'Description', 'LoggingConfig', 'Role', 'TracingConfig'],
  // Access is the same for all buckets here, and the local host encrypts nothing.
  'AWS::S3::Bucket': ['BucketEncryption', 'OwnershipControls', 'PublicAccessBlockConfiguration'],
  'AWS::SES::Template': [],
  // The local host keeps messages until they are delivered.
  'AWS::SQS::Queue': ['MessageRetentionPeriod', 'RedriveAllowPolicy', 'SqsManagedSseEnabled'],
  'AWS::SecretsManager::Secret': ['Description'],
  'AWS::WAFv2::WebACL': ['DefaultAction', 'Scope', 'VisibilityConfig'],
} as const satisfies Record<string, readonly string[]>;

type ServedType = keyof typeof ignoredProperties;

/** The types, and whole services (ending in `::`), that have no effect locally. */
const ignoredTypes = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::Deployment',
  'AWS::CloudWatch::',
  'AWS::GuardDuty::',
  'AWS::IAM::',
  'AWS::Lambda::Permission',
  'AWS::Logs::',
  'AWS::S3::BucketPolicy',
  'AWS::SES::',
  'AWS::SQS::QueuePolicy',
  'AWS::WAFv2::WebACLAssociation',
];

const isServed = (type: string): type is ServedType => Object.hasOwn(ignoredProperties, type);

const isIgnored = (type: string): boolean =>
  ignoredTypes.some((ignored) => (ignored.endsWith('::') ? type.startsWith(ignored) : type === ignored));

const refuseUnknownProperties = (properties: object, known: readonly string[], where: string, prefix = ''): void => {
  for (const [name, value] of Object.entries(properties)) {
    const path = prefix + name;
    if (known.includes(path)) continue;
    const leadsToKnown = known.some((each) => each.startsWith(`${path}.`));
    if (!leadsToKnown || !isObject(value)) refuse(where, `${path} is not supported`);
    else refuseUnknownProperties(value, known, where, `${path}.`);
  }
};

/** A resource of a served type. */
interface Resource {
  readonly name: string;
  readonly arn: string;
  /** The resource's name in a refusal. */
  readonly where: string;
  /** Reads a property, its intrinsic functions resolved. */
  get<Output>(path: string, schema: v.GenericSchema<unknown, Output>): Output;
}

/** Gives the resources of a type. */
export type Resources = (type: ServedType) => readonly Resource[];

/**
 * Lets readers read the resources of a template. In the end, no property may be left that nothing has read: the local host
 * would serve it differently from AWS.
 * @throws {Error} one line that names an unsupported type or property
 */
export const readResources = <Result>(
  template: Readonly<Record<string, TemplateResource>>,
  { resolve, nameOf, arnOf }: Resolver,
  read: (resources: Resources) => Result,
): Result => {
  const served = Object.entries(template).flatMap(([logicalId, { Type: type, Properties: properties, Condition }]) => {
    const where = `${logicalId} (${type})`;
    if (!isServed(type)) return isIgnored(type) ? [] : refuse(where, 'the type is not supported');
    if (Condition !== undefined) refuse(where, `its condition ${Condition} is not supported`);
    const known: string[] = ['Tags', ...ignoredProperties[type]];
    const nameProperty = nameProperties.get(type);
    if (nameProperty !== undefined) known.push(nameProperty);
    const resource: Resource = {
      name: nameOf(logicalId, where),
      arn: arnOf(logicalId, where),
      where,
      get: (path, schema) => {
        known.push(path);
        let value: unknown = properties;
        for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
        return parse(schema, resolve(value, where), where, path);
      },
    };
    return [{ type, properties, known, resource }];
  });
  const result = read((type) => served.filter((each) => each.type === type).map(({ resource }) => resource));
  for (const { properties, known, resource } of served) refuseUnknownProperties(properties, known, resource.where);
  return result;
};

/** Gives the one resource of a type. */
export const singleResource = (resources: Resources, type: ServedType): Resource => {
  const found = resources(type);
  const [resource] = found;
  if (resource && found.length === 1) return resource;
  return refuse(`${found.length} resources of type ${type}`, 'exactly one is supported');
};
