import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type FunctionDefinition, readFunctions } from './function-definition.ts';
import { createResolver } from './intrinsics.ts';
import { parseOrRefuse, refuse } from './refusal.ts';
import { type RestApi, readRestApi } from './rest-api.ts';
import { readTables, type TableDefinition } from './table-definition.ts';

/** Where a synthesized stack lies. */
export interface Assembly {
  /** The cloud assembly's directory, as `app.synth().directory` gives it. */
  readonly directory: string;
  readonly stackName: string;
}

/** What a template says about answering requests. */
export interface Template {
  readonly functions: readonly FunctionDefinition[];
  readonly tables: readonly TableDefinition[];
  readonly restApi: RestApi;
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

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
  'AWS::Lambda::Function',
];

/** The types, and whole services (ending in `::`), that no request on this machine meets. */
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
  'AWS::Pipes::Pipe',
  'AWS::Route53::',
  'AWS::SNS::',
  'AWS::SQS::',
  'AWS::SecretsManager::',
  'AWS::WAFv2::',
];

const templateSchema = v.object({
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown())),
      Condition: v.optional(v.string()),
    }),
  ),
  Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
});

const assetsSchema = v.object({
  files: v.record(
    v.string(),
    v.object({
      source: v.object({ path: v.optional(v.string()) }),
      destinations: v.record(v.string(), v.object({ objectKey: v.string() })),
    }),
  ),
});

/**
 * Reads a synthesized stack.
 * @throws {Error} one line that names the resource and the type, property or intrinsic function that would be served
 * otherwise than AWS does
 */
export const readTemplate = async ({ directory, stackName }: Assembly): Promise<Template> => {
  const readAssemblyFile = async <Output>(name: string, schema: v.GenericSchema<unknown, Output>) =>
    parseOrRefuse(schema, JSON.parse(await readFile(join(directory, name), 'utf8')), name);
  const [template, assets] = await Promise.all([
    readAssemblyFile(`${stackName}.template.json`, templateSchema),
    readAssemblyFile(`${stackName}.assets.json`, assetsSchema),
  ]);
  const resources = Object.entries(template.Resources);
  const { resolve, nameOf, arnOf } = createResolver(template.Resources, stackName);

  for (const [logicalId, { Type }] of resources) {
    const known =
      servedTypes.includes(Type) ||
      typesWithoutEffect.some((type) => (type.endsWith('::') ? Type.startsWith(type) : Type === type));
    if (!known) refuse(logicalId, `the resource type ${Type} is not supported`);
  }

  const read: ReadResources = (type, schema) =>
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

  /** The folder of each asset, by the key under which it would be uploaded. */
  const assetFolders = new Map(
    Object.values(assets.files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, join(directory, source.path ?? '')] as const),
    ),
  );
  const functions = readFunctions(read, assetFolders);

  return {
    functions,
    tables: readTables(read),
    restApi: readRestApi(read, new Set(functions.map(({ arn }) => arn))),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs).map(([name, { Value }]) => [name, String(resolve(Value, `the output ${name}`))]),
    ),
  };
};
