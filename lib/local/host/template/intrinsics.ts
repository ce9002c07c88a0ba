import * as v from 'valibot';

/** The region and account of a local stack. */
export const region = 'us-east-1';
export const accountId = '000000000000';

/**
 * Stops the start, since the local host would serve something of the template differently from AWS.
 * @param where the resource, output or file that is wrong
 */
export const refuse = (where: string, what: string): never => {
  throw new Error(`The local host cannot serve ${where}: ${what}`);
};

/** Parses a value of the template, or refuses it. @param path the value's path in its resource */
export const parse = <Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  where: string,
  path = '',
): Output => {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const name = [path, v.getDotPath(issue)].filter(Boolean).join('.');
  return refuse(where, issue.expected === 'never' ? `${name} is not supported` : `${name}: ${issue.message}`);
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly Condition?: string | undefined;
}

/** Resolves values of a template, and names its resources on this machine. */
export interface Resolver {
  /** Resolves the intrinsic functions in a value of the template. */
  resolve(value: unknown, where: string): unknown;
  nameOf(logicalId: string, where: string): string;
  arnOf(logicalId: string, where: string): string;
}

/** The properties with the names of resources that have one. */
export const nameProperties = new Map([
  ['AWS::ApiGateway::Stage', 'StageName'],
  ['AWS::DynamoDB::GlobalTable', 'TableName'],
  ['AWS::S3::Bucket', 'BucketName'],
]);

/** The names that resources get if the template gives none; others have their logical id. */
const generatedNames = new Map([
  ['AWS::DynamoDB::GlobalTable', (logicalId: string) => `local-${logicalId}`],
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  ['AWS::S3::Bucket', (logicalId: string) => `local-${logicalId.toLowerCase()}`],
]);

/** The part of an ARN before the name. */
const arnPrefixes = new Map([
  ['AWS::DynamoDB::GlobalTable', 'table/'],
  ['AWS::Lambda::Function', 'function:'],
  ['AWS::SecretsManager::Secret', 'secret:'],
]);

const pseudoParameters = new Map([
  ['AWS::AccountId', accountId],
  ['AWS::Partition', 'aws'],
  ['AWS::Region', region],
  ['AWS::URLSuffix', 'amazonaws.com'],
]);

/** On AWS, the last part is the time when the stream was enabled. */
export const streamArnOf = (tableArn: string): string => `${tableArn}/stream/local`;

const text = v.string();
const texts = v.array(v.union([v.string(), v.number()]));

/**
 * Resolves `Ref`, `Fn::GetAtt`, `Fn::Join`, `Fn::Select`, `Fn::Split` and the pseudo parameters. Refuses other intrinsic
 * functions by name.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */
export const createResolver = (resources: Readonly<Record<string, TemplateResource>>): Resolver => {
  const resourceOf = (logicalId: string, where: string): TemplateResource =>
    resources[logicalId] ?? refuse(where, `it refers to ${logicalId}, which is no resource of the template`);

  const nameOf = (logicalId: string, where: string): string => {
    const { Type, Properties } = resourceOf(logicalId, where);
    const given = Properties[nameProperties.get(Type) ?? ''];
    const generated = generatedNames.get(Type)?.(logicalId) ?? logicalId;
    return parse(v.optional(text, generated), resolve(given, where), where);
  };

  const arnOf = (logicalId: string, where: string): string => {
    const { Type } = resourceOf(logicalId, where);
    const service = Type.split('::')[1]?.toLowerCase();
    return `arn:aws:${service}:${region}:${accountId}:${arnPrefixes.get(Type) ?? ''}${nameOf(logicalId, where)}`;
  };

  const ref = (name: string, where: string): string => {
    const pseudoParameter = pseudoParameters.get(name);
    if (pseudoParameter !== undefined) return pseudoParameter;
    const { Type } = resourceOf(name, where);
    // The URL only identifies the queue: functions call the endpoint of SQS.
    if (Type === 'AWS::SQS::Queue') return `http://127.0.0.1/${accountId}/${nameOf(name, where)}`;
    return Type === 'AWS::SecretsManager::Secret' ? arnOf(name, where) : nameOf(name, where);
  };

  const getAtt = (logicalId: string, attribute: string, where: string): string => {
    if (attribute === 'Arn') return arnOf(logicalId, where);
    if (attribute === 'StreamArn') return streamArnOf(arnOf(logicalId, where));
    if (attribute === 'RootResourceId') return `${logicalId}.${attribute}`;
    return refuse(where, `the attribute ${attribute} of ${logicalId} is not supported`);
  };

  const call = (name: string, argument: unknown, where: string): unknown => {
    switch (name) {
      case 'Ref':
        return ref(parse(text, argument, where, name), where);
      case 'Fn::GetAtt':
        return getAtt(...parse(v.tuple([text, text]), argument, where, name), where);
      case 'Fn::Join': {
        const [separator, parts] = parse(v.tuple([text, texts]), argument, where, name);
        return parts.join(separator);
      }
      case 'Fn::Select': {
        const [index, values] = parse(v.tuple([v.number(), texts]), argument, where, name);
        return values[index] ?? refuse(where, `Fn::Select finds nothing at ${index}`);
      }
      case 'Fn::Split': {
        const [separator, whole] = parse(v.tuple([text, text]), argument, where, name);
        return whole.split(separator);
      }
      default:
        return refuse(where, `the intrinsic function ${name} is not supported`);
    }
  };

  const resolve = (value: unknown, where: string): unknown => {
    if (typeof value === 'string' && value.includes('{{resolve:')) {
      return refuse(where, `the dynamic reference ${value} is not supported`);
    }
    if (Array.isArray(value)) return value.map((item) => resolve(item, where));
    if (!isObject(value)) return value;
    const resolved = Object.entries(value).map(([name, item]) => [name, resolve(item, where)] as const);
    const [only, ...others] = resolved;
    if (!only || others.length > 0) return Object.fromEntries(resolved);
    const [name, argument] = only;
    return name === 'Ref' || name.startsWith('Fn::') ? call(name, argument, where) : { [name]: argument };
  };

  return { resolve, nameOf, arnOf };
};
