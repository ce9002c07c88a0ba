import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readEmailIdentities } from './email-identity.ts';
import { type QueueSource, readEventSources, type StreamSource } from './event-sources.ts';
import { createFunctionCheck, type FunctionDefinition, readFunctions } from './function-definition.ts';
import { createResolver, mappingsSchema } from './intrinsics.ts';
import { type QueueDefinition, readQueues } from './queue-definition.ts';
import { parseOrRefuse } from './refusal.ts';
import { createResourceReader, templateResourceSchema } from './resources.ts';
import { type RestApi, readRestApi } from './rest-api.ts';
import { readSecrets, type SecretDefinition } from './secret-definition.ts';
import { readTables, type TableDefinition } from './table-definition.ts';

/** Where a synthesized stack lies. */
export interface Assembly {
  /** The cloud assembly's directory, as `app.synth().directory` gives it. */
  readonly directory: string;
  readonly stackName: string;
}

/** What a template says about answering requests, about calls of AWS's services, and about telling of what has changed. */
export interface Template {
  readonly functions: readonly FunctionDefinition[];
  readonly tables: readonly TableDefinition[];
  readonly restApi: RestApi;
  readonly secrets: readonly SecretDefinition[];
  /** Addresses and domains that may send. */
  readonly emailIdentities: readonly string[];
  /** Whether it has anything that other services than the tables' hold. */
  readonly needsServices: boolean;
  readonly queues: readonly QueueDefinition[];
  readonly streamSources: readonly StreamSource[];
  readonly queueSources: readonly QueueSource[];
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

const templateSchema = v.object({
  Mappings: v.optional(mappingsSchema, {}),
  Resources: v.record(v.string(), templateResourceSchema),
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
 * @param servicesUrl where its queues answer, for who serves them
 * @throws {Error} one line that names the resource and the type, property or intrinsic function that would be served
 * otherwise than AWS does
 */
export const readTemplate = async (
  { directory, stackName }: Assembly,
  servicesUrl = 'http://127.0.0.1',
): Promise<Template> => {
  const readAssemblyFile = async <Output>(name: string, schema: v.GenericSchema<unknown, Output>) =>
    parseOrRefuse(schema, JSON.parse(await readFile(join(directory, name), 'utf8')), name);
  const [template, assets] = await Promise.all([
    readAssemblyFile(`${stackName}.template.json`, templateSchema),
    readAssemblyFile(`${stackName}.assets.json`, assetsSchema),
  ]);
  const resolver = createResolver(template.Resources, template.Mappings, stackName, servicesUrl);
  const read = createResourceReader(template.Resources, resolver);

  /** The folder of each asset, by the key under which it would be uploaded. */
  const assetFolders = new Map(
    Object.values(assets.files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, join(directory, source.path ?? '')] as const),
    ),
  );
  const functions = readFunctions(read, assetFolders);
  const tables = readTables(read);
  const secrets = readSecrets(read);
  const emailIdentities = readEmailIdentities(read);
  const queues = readQueues(read);

  return {
    functions,
    tables,
    restApi: readRestApi(read, createFunctionCheck(functions)),
    secrets,
    emailIdentities,
    needsServices: secrets.length > 0 || emailIdentities.length > 0 || queues.length > 0,
    queues,
    ...readEventSources(read, tables, queues, functions),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs).map(([name, { Value }]) => [
        name,
        String(resolver.resolve(Value, `the output ${name}`)),
      ]),
    ),
  };
};
