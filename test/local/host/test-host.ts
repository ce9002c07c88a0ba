import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Assembly } from '../../../lib/local/host/template/template.ts';

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Condition?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** Writes a stack as the CDK leaves it in a folder. */
export const writeStack = (
  directory: string,
  Resources: Readonly<Record<string, Resource>>,
  Outputs: Readonly<Record<string, { readonly Value: unknown }>> = {},
  files: object = {},
): Assembly => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'Stack.template.json'), JSON.stringify({ Resources, Outputs }));
  writeFileSync(join(directory, 'Stack.assets.json'), JSON.stringify({ files }));
  return { directory, stackName: 'Stack' };
};

/** The least that the host serves: an API without methods. */
export const api = {
  Api: { Type: 'AWS::ApiGateway::RestApi' },
  Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'live' } },
} as const satisfies Record<string, Resource>;
