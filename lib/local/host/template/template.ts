import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  type EmailTemplate,
  type FunctionDefinition,
  type QueueDefinition,
  readBuckets,
  readEmailTemplates,
  readFunctions,
  readQueues,
  readSecrets,
  readTables,
  type SecretDefinition,
  type TableDefinition,
} from './definitions.ts';
import {
  type QueueSource,
  readEventSources,
  readSchedules,
  type Schedule,
  type StreamSource,
} from './event-sources.ts';
import { createResolver, parse } from './intrinsics.ts';
import { type AddressLimit, readAddressLimits } from './rate-rules.ts';
import { readResources } from './resources.ts';
import { type RestApi, readRestApi } from './rest-api.ts';

/** The location of a synthesized stack. */
export interface Assembly {
  /** The cloud assembly's directory, as `app.synth().directory` gives it. */
  readonly directory: string;
  readonly stackName: string;
}

/** The parts of a template that the host serves. */
export interface Template {
  readonly functions: readonly FunctionDefinition[];
  readonly tables: readonly TableDefinition[];
  readonly restApi: RestApi;
  /** The names of the buckets. */
  readonly buckets: readonly string[];
  /** Those of the web ACL. */
  readonly addressLimits: readonly AddressLimit[];
  readonly secrets: readonly SecretDefinition[];
  readonly emailTemplates: readonly EmailTemplate[];
  readonly queues: readonly QueueDefinition[];
  readonly streamSources: readonly StreamSource[];
  readonly queueSources: readonly QueueSource[];
  readonly schedules: readonly Schedule[];
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

const templateSchema = v.object({
  Resources: v.record(
    v.string(),
    v.object({
      Type: v.string(),
      Properties: v.optional(v.record(v.string(), v.unknown()), {}),
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
 * @throws {Error} one line that names the resource, and the type, property or intrinsic function that the local host would
 * serve differently from AWS
 */
export const readTemplate = async ({ directory, stackName }: Assembly): Promise<Template> => {
  const readAssemblyFile = async <Output>(name: string, schema: v.GenericSchema<unknown, Output>) =>
    parse(schema, JSON.parse(await readFile(join(directory, name), 'utf8')), name);
  const [template, assets] = await Promise.all([
    readAssemblyFile(`${stackName}.template.json`, templateSchema),
    readAssemblyFile(`${stackName}.assets.json`, assetsSchema),
  ]);
  const resolver = createResolver(template.Resources);

  /** The folder of each asset, by its upload key. */
  const assetFolders = new Map(
    Object.values(assets.files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, join(directory, source.path ?? '')] as const),
    ),
  );
  const outputs = Object.entries(template.Outputs).map(([name, { Value }]) => {
    const where = `the output ${name}`;
    return [name, parse(v.string(), resolver.resolve(Value, where), where)] as const;
  });
  return readResources(template.Resources, resolver, (resources) => {
    const functions = readFunctions(resources, assetFolders);
    const tables = readTables(resources);
    const queues = readQueues(resources);
    return {
      functions,
      tables,
      restApi: readRestApi(resources, functions),
      buckets: readBuckets(resources),
      addressLimits: readAddressLimits(resources),
      secrets: readSecrets(resources),
      emailTemplates: readEmailTemplates(resources),
      queues,
      ...readEventSources(resources, functions, tables, queues),
      schedules: readSchedules(resources, functions),
      outputs: Object.fromEntries(outputs),
    };
  });
};
