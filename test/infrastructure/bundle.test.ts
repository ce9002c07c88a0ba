import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundle, bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { serve } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a bundle is one file, which primes the first call while it starts, without a warning from Node', async () => {
  const targets: unknown[] = [];
  await using store = await serve((request, response) => {
    targets.push(request.headers['x-amz-target']);
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  });
  const folder = join(await bundleFunctions(temporaryFolder(), ['get-campaign']), 'get-campaign');
  expect(readdirSync(folder)).toEqual(['index.mjs']);

  // Lambda waits until the import is done.
  const script = `const { handler } = await import(process.argv[1]); console.log(typeof handler); process.exit();`;
  const options = ['--input-type=module', '--eval', script, join(folder, 'index.mjs')];
  const start = () =>
    promisify(execFile)(process.execPath, options, {
      env: {
        AWS_ACCESS_KEY_ID: 'test',
        AWS_ENDPOINT_URL_DYNAMODB: store.url,
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
        AWS_REGION: 'eu-central-1',
        AWS_SECRET_ACCESS_KEY: 'test',
        CAMPAIGNS_TABLE: 'campaigns',
      },
    });
  let output: object = {};
  // On a busy machine a start may wait for the store in vain.
  await expect
    .poll(
      async () => {
        output = await start();
        return targets;
      },
      { timeout: 30_000 },
    )
    .toContain('DynamoDB_20120810.GetItem');
  expect(output).toEqual({ stdout: 'function\n', stderr: '' });
});

test('fails the build if the SDK no longer imports a module that functions/sdk replaces', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'source.ts'), 'export const handler = 1;');
  await expect(bundle(folder, new Map([['bundle', join(folder, 'source.ts')]]))).rejects.toThrow(
    'any more: see functions/sdk/replacements.ts for what to do after an upgrade of the SDK',
  );
});
