import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { removedMiddlewares } from '../../../functions/sdk/dynamodb-client.ts';
import { bundleFunctions } from '../../../lib/infrastructure/bundle.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const advice = 'See functions/sdk/replacements.ts for what to do after an upgrade of the SDK.';

test.each(removedMiddlewares)('the SDK has the middleware %s, which functions do without', (tag) => {
  const { middlewareStack } = new DynamoDBClient({});
  expect(middlewareStack.removeByTag(tag), `The SDK has no middleware ${tag} to remove any more. ${advice}`).toBe(true);
});

test('a bundle needs no module besides those of Node', async () => {
  const folder = await bundleFunctions(temporaryFolder(), ['create-contact']);
  const bundled = readFileSync(join(folder, 'create-contact', 'index.mjs'), 'utf8');
  const required = [...bundled.matchAll(/require\("([^"]+)"\)/g)].map(([, module = '']) => module);
  expect(required).toContain('node:https');
  const missing = required.filter((module) => !isBuiltin(module));
  expect(missing, `A bundle lacks modules that it needs now, see \`external\` in bundle.ts. ${advice}`).toEqual([]);
});
