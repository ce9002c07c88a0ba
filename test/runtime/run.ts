// `npm run test:runtime`: the acceptance suite against the synthesized bundles, each in a process of its own that AWS's
// runtime client loads and runs, as on Lambda; then what tells a mail's and a webhook's target of a contact request. Before
// them is the local gateway, behind them a DynamoDB in memory.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { handlerNames, permissions } from '../../lib/infrastructure/endpoints.ts';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { systemClock } from '../../lib/local/host/clock.ts';
import { createGateway } from '../../lib/local/host/gateway/gateway.ts';
import { createGatewayServer } from '../../lib/local/host/gateway/gateway-server.ts';
import { isolate } from '../../lib/local/host/isolation.ts';
import { logToStderr } from '../../lib/local/host/log.ts';
import type { StoreAddress } from '../../lib/local/host/store/announcement.ts';
import { readTemplate } from '../../lib/local/host/template/template.ts';
import { addCampaign } from '../../lib/staff/campaign-table.ts';
import { environmentOfStore } from '../../lib/staff/local.ts';
import { issueToken } from '../../lib/staff/token-table.ts';
import { CommandError, run } from '../rehearsal/command.ts';
import { createDynalite } from '../support/dynalite.ts';
import { environments } from '../support/environments.ts';
import { startReceiver } from '../support/receiver.ts';
import { listen, stop } from '../support/server.ts';
import { createTables } from '../support/template-tables.ts';
import { type FunctionProcess, startFunction } from './function-process.ts';
import { installClient } from './install-client.ts';
import { notifyTargets, startServices } from './notifications.ts';

/** Synthesizes `dev` with a target of each kind of client, and reads what was synthesized. */
const synthesize = async (directory: string, webhookUrl: string) => {
  const bundles = await bundleFunctions(join(directory, 'functions'));
  const notifications = {
    from: 'contact@example.com',
    emails: ['staff@example.com'],
    webhooks: [{ url: webhookUrl }],
  };
  const dev = { ...environments.dev, notifications };
  const app = createApp({ dev }, bundles, { outdir: join(directory, 'cdk.out') });
  return readTemplate({ directory: app.synth().directory, stackName: stackName('dev') });
};

const runSuite = async (store: StoreAddress, outputs: Readonly<Record<string, string>>, baseUrl: string) => {
  const environment = environmentOfStore({ ...store, outputs, close: async () => {} });
  const { dynamodb: client, tables } = environment;
  await addCampaign({ client, table: tables.campaigns }, 'Newsletter');
  const issue = async (name: string, ...allowed: (typeof permissions)[number][]) =>
    (await issueToken({ client, table: tables.tokens }, { name, permissions: allowed, now: new Date() })).token;
  const limitedTokens: string[] = [];
  for (const permission of permissions) limitedTokens.push(`${permission}=${await issue(permission, permission)}`);
  const env = {
    ...process.env,
    BASE_URL: baseUrl,
    STAFF_TOKEN: await issue('all', ...permissions),
    LIMITED_TOKENS: limitedTokens.join(),
  };
  await environment.close();
  await run('npm', ['run', 'test:acceptance'], { env, signal: AbortSignal.timeout(10 * 60_000), shown: true });
};

/** What the suite sends to be stored, and what the staff commands issue. */
const secrets = /@example\.com|Hello!|crcs_/;

/** Tells what a function has done. @returns whether it is all that it should have */
const report = ({ definition, initMilliseconds, results, lines }: FunctionProcess): boolean => {
  const errors = results.flatMap((result) => (result.ok ? [] : result.errorMessage));
  // The one error that is an answer: the gateway makes a 401 of it.
  const faults = errors.filter((message) => message !== 'Unauthorized');
  const leaks = lines.filter((line) => secrets.test(line));
  const loaded = `loaded in ${initMilliseconds.toFixed(0)} ms`;
  const invoked = `invoked ${results.length} times`;
  console.log(
    `${definition.name.padEnd(45)} ${loaded.padEnd(18)} ${invoked.padEnd(18)} ${faults.length} errors, ${errors.length - faults.length} times Unauthorized, ${leaks.length} of ${lines.length} log lines with personal data or a token`,
  );
  for (const line of [...faults, ...leaks].slice(0, 5)) console.log(`    ${line}`);
  return results.length > errors.length && faults.length === 0 && leaks.length === 0;
};

const directory = await mkdtemp(join(tmpdir(), 'runtime-'));
const dynalite = createDynalite();
const functions: FunctionProcess[] = [];
try {
  const runtimeClient = await installClient();
  isolate(process.env);
  await using services = await startServices();
  await using receiver = await startReceiver();
  const template = await synthesize(directory, receiver.url);
  const store = { endpoint: await listen(dynalite), accessKeyId: 'local' };
  await createTables(store, template.tables);
  for (const definition of template.functions) {
    const endpoints = {
      AWS_ENDPOINT_URL: services.url,
      AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    };
    functions.push(await startFunction(runtimeClient, definition, endpoints));
  }
  assert.equal(functions.length, handlerNames.length);

  const byArn = new Map(functions.map((each) => [each.definition.arn, each]));
  const gateway = createGateway(
    template.restApi,
    async (arn, event) => byArn.get(arn)?.invoke(event) ?? { ok: false, errorMessage: `There is no function ${arn}` },
    systemClock,
    logToStderr,
  );
  const server = createGatewayServer(gateway, template.restApi.gatewayResponses, systemClock, logToStderr);
  try {
    const baseUrl = await listen(server);
    await runSuite(store, template.outputs, baseUrl);
    const functionNamed = (part: string) => {
      const found = functions.find(({ definition }) => definition.name.includes(part));
      assert.ok(found, `there is no function ${part}`);
      return found;
    };
    await notifyTargets(baseUrl, functionNamed, services, receiver);
  } finally {
    await stop(server);
  }

  console.log(`\naws-lambda-ric ${runtimeClient.version} on Node ${process.version}:`);
  const good = functions.map(report);
  if (good.includes(false)) process.exitCode = 1;
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof CommandError ? error.message : error);
} finally {
  await Promise.all(functions.map((each) => each.stop()));
  await stop(dynalite);
  await rm(directory, { recursive: true });
}
