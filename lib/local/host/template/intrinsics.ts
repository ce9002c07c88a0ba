import * as v from 'valibot';
import { parseOrRefuse, refuse } from './refusal.ts';

/** Where a stack is, as its pseudo parameters say, when it is on this machine. */
export const region = 'us-east-1';
export const accountId = '000000000000';

/** What names a resource of a template. */
interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>> | undefined;
}

/** What the resources of a template are called on this machine. */
export interface Resolver {
  /** Gives a template's value with its intrinsic functions resolved. */
  resolve(value: unknown, where: string): unknown;
  /** What it is called. */
  nameOf(logicalId: string, where: string): string;
  /** What `Fn::GetAtt` gives for `Arn`. */
  arnOf(logicalId: string, where: string): string;
}

/** The property that names a resource, where there is one; others go by their logical id. */
const nameProperties = new Map([
  ['AWS::ApiGateway::Stage', 'StageName'],
  ['AWS::DynamoDB::GlobalTable', 'TableName'],
  ['AWS::Lambda::Function', 'FunctionName'],
  ['AWS::SecretsManager::Secret', 'Name'],
  ['AWS::SNS::Topic', 'TopicName'],
  ['AWS::SQS::Queue', 'QueueName'],
]);

/** What stands before the name in an ARN. */
const arnPrefixes = new Map([
  ['AWS::DynamoDB::GlobalTable', 'table/'],
  ['AWS::Lambda::Function', 'function:'],
  ['AWS::SecretsManager::Secret', 'secret:'],
]);

/** The types whose `Ref` is their ARN. */
const referredByArn = ['AWS::SecretsManager::Secret', 'AWS::SNS::Topic'];

/** The URL of a queue. */
export const queueUrlOf = (servicesUrl: string, name: string): string => `${servicesUrl}/${accountId}/${name}`;

/** The ARN of a table's stream; AWS writes the time at which it was switched on at the end. */
export const streamArnOf = (tableArn: string): string => `${tableArn}/stream/local`;

const text = v.string();
const list = v.array(v.union([v.string(), v.number()]));
const getAttArguments = v.union([
  v.tuple([text, text]),
  v.pipe(
    text,
    v.transform((path) => path.split('.')),
    v.tuple([text, text]),
  ),
]);
const findInMapArguments = v.tuple([text, text, text]);
const subArguments = v.union([
  v.pipe(
    text,
    v.transform((template) => [template, {}]),
    v.tuple([text, v.record(text, text)]),
  ),
  v.tuple([text, v.record(text, text)]),
]);

/** A template's mappings: values by their map, its keys and their keys. */
export const mappingsSchema = v.record(text, v.record(text, v.record(text, v.unknown())));

/**
 * Resolves `Ref`, `Fn::FindInMap`, `Fn::GetAtt`, `Fn::Join`, `Fn::Sub`, `Fn::Select`, `Fn::Split` and the pseudo
 * parameters, as they would be on this machine; any other intrinsic function is refused by name.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 * @param servicesUrl where queues answer: the SDK calls a queue at its URL
 */
export const createResolver = (
  resources: Readonly<Record<string, TemplateResource>>,
  mappings: v.InferOutput<typeof mappingsSchema>,
  stackName: string,
  servicesUrl: string,
): Resolver => {
  const pseudoParameters = new Map<string, string | undefined>([
    ['AWS::AccountId', accountId],
    ['AWS::NoValue', undefined],
    ['AWS::Partition', 'aws'],
    ['AWS::Region', region],
    ['AWS::StackId', `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`],
    ['AWS::StackName', stackName],
    ['AWS::URLSuffix', 'amazonaws.com'],
  ]);

  const resourceOf = (logicalId: string, where: string): TemplateResource =>
    resources[logicalId] ?? refuse(where, `it refers to ${logicalId}, which is no resource of the template`);

  const nameOf = (logicalId: string, where: string): string => {
    const { Type, Properties } = resourceOf(logicalId, where);
    const given = Properties?.[nameProperties.get(Type) ?? ''];
    if (given !== undefined) return parseOrRefuse(text, resolve(given, where), where);
    return Type === 'AWS::DynamoDB::GlobalTable' ? `local-${logicalId}` : logicalId;
  };

  const ref = (name: string, where: string) => {
    if (pseudoParameters.has(name)) return pseudoParameters.get(name);
    const { Type } = resourceOf(name, where);
    if (Type === 'AWS::SQS::Queue') return queueUrlOf(servicesUrl, nameOf(name, where));
    return referredByArn.includes(Type) ? arnOf(name, where) : nameOf(name, where);
  };

  const arnOf = (logicalId: string, where: string) => {
    const { Type } = resourceOf(logicalId, where);
    const service = Type.split('::')[1]?.toLowerCase();
    return `arn:aws:${service}:${region}:${accountId}:${arnPrefixes.get(Type) ?? ''}${nameOf(logicalId, where)}`;
  };

  const attributes: Readonly<Record<string, (logicalId: string, where: string) => string>> = {
    Arn: arnOf,
    QueueName: nameOf,
    StreamArn: (logicalId, where) => streamArnOf(arnOf(logicalId, where)),
    TopicArn: arnOf,
  };
  const getAtt = (logicalId: string, attribute: string, where: string) =>
    attributes[attribute]?.(logicalId, where) ?? `${logicalId}.${attribute}`;

  const sub = (template: string, variables: Readonly<Record<string, string>>, where: string) =>
    template.replaceAll(/\$\{(!?)([^}]+)\}/g, (whole, literal: string, name: string) => {
      if (literal) return whole.replace('!', '');
      const [logicalId = '', attribute] = name.split('.');
      return String(variables[name] ?? (attribute ? getAtt(logicalId, attribute, where) : ref(name, where)));
    });

  const select = (index: number, values: readonly (string | number)[], where: string) =>
    values[index] ?? refuse(where, `Fn::Select finds nothing at ${index}`);

  const intrinsics: Readonly<Record<string, (argument: unknown, where: string) => unknown>> = {
    Ref: (argument, where) => ref(parseOrRefuse(text, argument, where), where),
    'Fn::FindInMap': (argument, where) => {
      const [map, key, second] = parseOrRefuse(findInMapArguments, argument, where);
      return mappings[map]?.[key]?.[second] ?? refuse(where, `Fn::FindInMap finds nothing at ${map}.${key}.${second}`);
    },
    'Fn::GetAtt': (argument, where) => getAtt(...parseOrRefuse(getAttArguments, argument, where), where),
    'Fn::Join': (argument, where) => {
      const [separator, parts] = parseOrRefuse(v.tuple([text, list]), argument, where);
      return parts.join(separator);
    },
    'Fn::Select': (argument, where) => {
      const [index, values] = parseOrRefuse(v.tuple([v.union([v.number(), text]), list]), argument, where);
      return select(Number(index), values, where);
    },
    'Fn::Split': (argument, where) => {
      const [separator, whole] = parseOrRefuse(v.tuple([text, text]), argument, where);
      return whole.split(separator);
    },
    'Fn::Sub': (argument, where) => sub(...parseOrRefuse(subArguments, argument, where), where),
  };

  const resolve = (value: unknown, where: string): unknown => {
    if (typeof value === 'string' && value.includes('{{resolve:')) {
      return refuse(where, `the dynamic reference ${value} is not supported`);
    }
    if (Array.isArray(value)) return value.map((item) => resolve(item, where)).filter((item) => item !== undefined);
    if (typeof value !== 'object' || value === null) return value;

    const entries = Object.entries(value);
    const [name, argument] = entries[0] ?? [];
    if (entries.length === 1 && name !== undefined && (name === 'Ref' || name.startsWith('Fn::'))) {
      const intrinsic = intrinsics[name] ?? refuse(where, `the intrinsic function ${name} is not supported`);
      return intrinsic(resolve(argument, where), where);
    }
    return Object.fromEntries(
      entries.map(([key, item]) => [key, resolve(item, where)]).filter(([, item]) => item !== undefined),
    );
  };
  return { resolve, nameOf, arnOf };
};
