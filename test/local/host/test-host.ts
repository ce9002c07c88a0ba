import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Assembly } from '../../../lib/local/host/template/template.ts';

/** A new folder, and what removes it. */
export const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'local-host-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** A folder that is removed after the test. */
export const testFolder = (): string => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
};

/** A resource of a template. */
export interface Resource {
  readonly Type: string;
  readonly Condition?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

type Outputs = Readonly<Record<string, { readonly Value: unknown }>>;

/**
 * Writes a stack as the CDK leaves it in a folder.
 * @param bundles the names of its functions' bundles, each the asset `<name>.zip` from the folder `asset.<name>`
 */
export const writeStack = (
  Resources: Readonly<Record<string, Resource>>,
  Outputs: Outputs = {},
  bundles: readonly string[] = [],
  directory = testFolder(),
): Assembly => {
  const assets = bundles.map((name) => [
    name,
    { source: { path: `asset.${name}` }, destinations: { current: { objectKey: `${name}.zip` } } },
  ]);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'Stack.template.json'), JSON.stringify({ Resources, Outputs }));
  writeFileSync(join(directory, 'Stack.assets.json'), JSON.stringify({ files: Object.fromEntries(assets) }));
  return { directory, stackName: 'Stack' };
};

/** The least that the host serves: an API without methods. */
export const api = {
  Api: { Type: 'AWS::ApiGateway::RestApi' },
  Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'live' } },
} as const satisfies Record<string, Resource>;
