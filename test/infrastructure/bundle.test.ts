import { execFile, execFileSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { App, Stack } from 'aws-cdk-lib';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { appDefaults } from '../../lib/infrastructure/app.ts';
import { bundle, bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { addCompileCaches } from '../../lib/infrastructure/compile-caches.ts';
import { functionCode } from '../../lib/infrastructure/function-code.ts';
import { bundleDir, handlerNames, notificationHandlers } from '../../lib/infrastructure/handlers.ts';
import { serve } from '../support/server.ts';
import { briefly, temporaryFolder } from './synthesize.ts';

let bundles: string;

beforeAll(async () => {
  bundles = await bundleFunctions(temporaryFolder());
  await addCompileCaches(bundles);
});

const cacheName = `${process.version}-${process.arch}.cache`;

const variables = { CAMPAIGNS_TABLE: 'campaigns', AWS_REGION: 'eu-central-1', PATH: '' };

/** Starts a bundle in a process of its own, with Lambda's flag. @returns whether V8 refused its compile cache, and the type of its handler */
const start = (folder: string): string =>
  execFileSync(
    process.execPath,
    [
      '--expose-gc',
      '--input-type=module',
      '--eval',
      'const { handler, script } = await import(process.argv[1]); console.log(script.cachedDataRejected, typeof handler);',
      join(folder, 'index.mjs'),
    ],
    { encoding: 'utf8', env: variables },
  ).trim();

/** A copy of the bundle of `campaigns/get`. */
const copy = () => {
  const folder = temporaryFolder();
  cpSync(bundleDir(bundles, 'campaigns/get'), folder, { recursive: true });
  return folder;
};

test('each function that somebody waits for has a compile cache, which V8 takes', () => {
  for (const handler of handlerNames) {
    const files = ['function.js', 'index.mjs', ...(notificationHandlers.includes(handler) ? [] : [cacheName])];
    expect(readdirSync(bundleDir(bundles, handler)).sort()).toEqual(files.sort());
  }
  expect(start(copy())).toBe('false function');
});

test('a function that starts reaches the store, and Node has nothing to warn of', async () => {
  const targets: unknown[] = [];
  await using store = await serve((request, response) => {
    targets.push(request.headers['x-amz-target']);
    response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
  });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(copy(), 'index.mjs')], {
    env: {
      ...variables,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: store.url,
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
  });
  expect({ targets, stdout, stderr }).toEqual({ targets: ['DynamoDB_20120810.GetItem'], stdout: '', stderr: '' });
});

test.each([
  ['broken', Buffer.from('no cache')],
  ['empty', Buffer.alloc(0)],
])('a function starts beside a compile cache that is %s', (_, content) => {
  const folder = copy();
  writeFileSync(join(folder, cacheName), content);
  expect(start(folder)).toBe('true function');
});

/** The files of a function's asset, and the asset's hash. */
const assetOf = (folder: string, made: string) => {
  const app = new App({ ...appDefaults, ...briefly, outdir: temporaryFolder() });
  const stack = new Stack(app, 'Stack');
  new LambdaFunction(stack, 'Function', {
    code: functionCode(folder, made),
    handler: 'x',
    runtime: Runtime.NODEJS_24_X,
  });
  const { directory } = app.synth();
  const [asset = ''] = readdirSync(directory).filter((name) => name.startsWith('asset.'));
  return { asset, files: readdirSync(join(directory, asset)).sort() };
};

test('a compile cache is deployed where it is for the processors of the functions, and never a reason to deploy', () => {
  const [one, other] = [copy(), copy()];
  writeFileSync(join(other, cacheName), 'another of the same code');
  for (const made of ['linux-x64', 'darwin-arm64'])
    expect(assetOf(one, made).files).toEqual(['function.js', 'index.mjs']);
  expect(assetOf(one, 'linux-arm64').files).toEqual(['function.js', 'index.mjs', cacheName].sort());
  for (const made of ['linux-x64', 'linux-arm64']) expect(assetOf(one, made).asset).toBe(assetOf(other, made).asset);
  writeFileSync(join(other, 'function.js'), 'other code');
  for (const made of ['linux-x64', 'linux-arm64'])
    expect(assetOf(one, made).asset).not.toBe(assetOf(other, made).asset);
});

test('the characters of the code stay what they are', async () => {
  const folder = temporaryFolder();
  const client = JSON.stringify(join(import.meta.dirname, '../../functions/dynamodb.ts'));
  // What esbuild leaves as it is: in strings it writes escapes.
  writeFileSync(join(folder, 'source.ts'), `import ${client}; export const handler = /^[＝]$/;`);
  await bundle(folder, new Map([['bundle', join(folder, 'source.ts')]]));
  const index = v.object({ handler: v.instance(RegExp) });
  const { handler } = v.parse(index, await import(join(folder, 'bundle', 'index.mjs')));
  expect(handler.test('＝')).toBe(true);
});

test('a stand-in that nothing imports any more fails the build', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'source.ts'), 'export const handler = 1;');
  await expect(bundle(folder, new Map([['bundle', join(folder, 'source.ts')]]))).rejects.toThrow(
    'Nothing imports what functions/stand-ins/credentials.ts stands for',
  );
});

test('a folder that is named from the working directory is filled there, as npm start names its own', async () => {
  const cwd = temporaryFolder();
  const file = pathToFileURL(join(import.meta.dirname, '..', '..', 'lib', 'infrastructure', 'bundle.ts')).href;
  const script = `await (await import('${file}')).bundleFunctions('bundles');`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd });
  expect(readdirSync(bundleDir(join(cwd, 'bundles'), 'campaigns/get')).sort()).toEqual(['function.js', 'index.mjs']);
});
