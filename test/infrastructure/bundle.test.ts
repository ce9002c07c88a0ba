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

test('the bundle that deletes files has all of the client of S3 that it needs', async () => {
  const calls: string[] = [];
  const id = '6f9619ff-8b86-4011-b42d-00cf4fc964ff';
  await using aws = await serve((request, response) => {
    calls.push(String(request.headers['x-amz-target'] ?? `${request.method} ${request.url}`));
    const object = `<Contents><Key>${id}/a/0</Key><LastModified>2026-03-04T12:00:00Z</LastModified></Contents>`;
    const responses = [`<ListBucketResult>${object}</ListBucketResult>`, '{}', '<DeleteResult/>'];
    response.end(responses[calls.length - 1]);
  });
  const module = join(await bundleFunctions(temporaryFolder(), ['delete-files']), 'delete-files', 'index.mjs');
  const script = `const { handler } = await import(process.argv[1]);
    await handler({ Records: [{ dynamodb: { Keys: { id: { S: '${id}' } } } }] });`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, module], {
    env: {
      AWS_ACCESS_KEY_ID: 'test',
      AWS_ENDPOINT_URL: aws.url,
      AWS_REGION: 'eu-central-1',
      AWS_SECRET_ACCESS_KEY: 'test',
      CONTACTS_TABLE: 'contacts',
      FILES_BUCKET: 'files',
    },
  });
  expect(calls).toEqual([
    `GET /files/?list-type=2&prefix=${id}%2F`,
    'DynamoDB_20120810.GetItem',
    'POST /files/?delete=',
  ]);
});

test('fails the build if the SDK no longer imports a module that functions/sdk replaces', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'source.ts'), 'export const handler = 1;');
  await expect(bundle(folder, new Map([['bundle', join(folder, 'source.ts')]]))).rejects.toThrow(
    'any more: see functions/sdk/replacements.ts for what to do after an upgrade of the SDK',
  );
});
