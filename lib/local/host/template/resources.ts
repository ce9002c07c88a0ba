import * as v from 'valibot';
import type { Resolver } from './intrinsics.ts';
import { parseOrRefuse, refuse } from './refusal.ts';

/** A resource as it stands in a template. */
export const templateResourceSchema = v.object({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown())),
  Condition: v.optional(v.string()),
});

type TemplateResources = Readonly<Record<string, v.InferOutput<typeof templateResourceSchema>>>;

/** A resource of a type that is served, its properties parsed. */
export interface Resource<Properties> {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly properties: Properties;
  /** How to name the resource in a refusal. */
  readonly where: string;
}

/** Gives the template's resources of a type. */
export type ReadResources = <Properties>(
  type: string,
  schema: v.GenericSchema<unknown, Properties>,
) => Resource<Properties>[];

/** The types that make up what is served. */
const servedTypes = [
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Pipes::Pipe',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
  'AWS::SES::EmailIdentity',
  'AWS::SecretsManager::Secret',
];

/** The types, and whole services (ending in `::`), that change nothing on this machine. */
const typesWithoutEffect = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::DomainName',
  'AWS::CDK::Metadata',
  'AWS::CertificateManager::',
  'AWS::CloudWatch::',
  'AWS::Events::',
  'AWS::IAM::',
  'AWS::KMS::',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Route53::',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::WAFv2::',
  'AWS::XRay::SamplingRule',
];

const isKnown = (type: string): boolean =>
  servedTypes.includes(type) ||
  typesWithoutEffect.some((known) => (known.endsWith('::') ? type.startsWith(known) : type === known));

/**
 * Reads the resources of a template.
 * @throws {Error} one line, when one of them is of a type that is not known here
 */
export const createResourceReader = (
  templateResources: TemplateResources,
  { resolve, nameOf, arnOf }: Resolver,
): ReadResources => {
  const resources = Object.entries(templateResources);
  for (const [logicalId, { Type }] of resources) {
    if (!isKnown(Type)) refuse(logicalId, `the resource type ${Type} is not supported`);
  }
  return (type, schema) =>
    resources
      .filter(([, { Type }]) => Type === type)
      .map(([logicalId, { Properties = {}, Condition }]) => {
        const where = `${logicalId} (${type})`;
        if (Condition !== undefined) refuse(where, `its condition ${Condition} is not supported`);
        return {
          logicalId,
          name: nameOf(logicalId, where),
          arn: arnOf(logicalId, where),
          properties: parseOrRefuse(schema, resolve(Properties, where), where),
          where,
        };
      });
};

/** Reads the resource of a type of which there must be exactly one. */
export const readOnlyOne = <Properties>(
  read: ReadResources,
  type: string,
  schema: v.GenericSchema<unknown, Properties>,
): Resource<Properties> => {
  const [resource, ...others] = read(type, schema);
  return resource && others.length === 0
    ? resource
    : refuse(`${others.length + (resource ? 1 : 0)} resources of type ${type}`, 'exactly one is supported');
};
