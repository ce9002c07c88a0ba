import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { noEffect } from './properties.ts';
import { refuse } from './refusal.ts';
import type { ReadResources } from './resources.ts';

/** A Lambda function, as the template defines it. */
export interface FunctionDefinition {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** The handler as written, such as `index.handler`. */
  readonly handler: string;
  /** The folder of its bundle. */
  readonly folder: string;
  /** The ES module in that folder, and its export, that the handler names. */
  readonly moduleFile: string;
  readonly exportName: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
}

const functionSchema = v.strictObject({
  Code: v.strictObject({ S3Bucket: noEffect, S3Key: v.string() }),
  Environment: v.optional(v.strictObject({ Variables: v.optional(v.record(v.string(), v.string()), {}) })),
  FunctionName: noEffect,
  Handler: v.pipe(v.string(), v.regex(/^[\w/-]+\.\w+$/)),
  MemorySize: v.optional(v.number(), 128),
  Runtime: v.literal('nodejs24.x'),
  Timeout: v.optional(v.number(), 3),
  Architectures: noEffect,
  Description: noEffect,
  KmsKeyArn: noEffect,
  LoggingConfig: noEffect,
  ReservedConcurrentExecutions: noEffect,
  Role: noEffect,
  Tags: noEffect,
  TracingConfig: noEffect,
});

/**
 * Reads the template's functions.
 * @param assetFolders the folders of the assets, by their key
 */
export const readFunctions = (
  read: ReadResources,
  assetFolders: ReadonlyMap<string, string>,
): readonly FunctionDefinition[] =>
  read('AWS::Lambda::Function', functionSchema).map(({ logicalId, name, arn, properties, where }) => {
    const { Code, Environment, Handler, MemorySize, Timeout } = properties;
    const folder = assetFolders.get(Code.S3Key) ?? refuse(where, `${Code.S3Key} is no asset of the stack`);
    const dot = Handler.lastIndexOf('.');
    const moduleFile = join(folder, `${Handler.slice(0, dot)}.mjs`);
    if (!existsSync(moduleFile)) refuse(where, `its asset holds no ${Handler.slice(0, dot)}.mjs`);
    return {
      logicalId,
      name,
      arn,
      handler: Handler,
      folder,
      moduleFile,
      exportName: Handler.slice(dot + 1),
      variables: Environment?.Variables ?? {},
      timeoutSeconds: Timeout,
      memoryMegabytes: MemorySize,
    };
  });

/** Refuses what calls a function that the template does not have. */
export type CheckFunction = (arn: string, where: string) => void;

/** A check against these functions. */
export const createFunctionCheck = (functions: readonly FunctionDefinition[]): CheckFunction => {
  const arns = new Set(functions.map(({ arn }) => arn));
  return (arn, where) => {
    if (!arns.has(arn)) refuse(where, `${arn} is no function of the template`);
  };
};
