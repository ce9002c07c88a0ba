// `npm run test:runtime`: runs the acceptance suite against the synthesized bundles, each loaded by AWS's runtime client in
// a process of its own, as on Lambda; then notifies a mail's and a webhook's target. Before them stands the local gateway,
// behind them a DynamoDB in memory.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putCampaign } from '../../functions/campaigns/manage-campaigns.ts';
import { putToken } from '../../functions/tokens/manage-tokens.ts';
import { createApp } from '../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { apiHandlers, notificationHandlers, permissions } from '../../lib/infrastructure/endpoints.ts';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { systemClock } from '../../lib/local/host/clock.ts';
import { createGateway } from '../../lib/local/host/gateway/gateway.ts';
import { createGatewayServer } from '../../lib/local/host/gateway/gateway-server.ts';
import { logToStderr } from '../../lib/local/host/host-log.ts';
import { isolate } from '../../lib/local/host/isolation.ts';
import type { StoreAddress } from '../../lib/local/host/store/announcement.ts';
import { readTemplate } from '../../lib/local/host/template/template.ts';
import { openStoreTables } from '../../lib/local/store-tables.ts';
import { CommandError, run } from '../support/command.ts';
import { createDynalite } from '../support/dynalite.ts';
import { environments } from '../support/environments.ts';
import { startReceiver } from '../support/receiver.ts';
import { listen, stop } from '../support/server.ts';
import { createTables } from '../support/template-tables.ts';
import { type FunctionProcess, startFunction } from './function-process.ts';
import { installClient } from './install-client.ts';
import { notifyTargets, startServices } from './notifications.ts';

/** Synthesizes `dev` with a mail's and a webhook's target. */
const synthesize = async (directory: string, webhookUrl: string) => {
  const bundles = await bundleFunctions(join(directory, 'functions'));
  const notifications = {
    from: 'contact@example.com',
    emails: ['staff@example.com'],
    webhooks: [{ url: webhookUrl }],
  };
  const dev = { ...environments.dev, triage: true, notifications };
  const app = createApp({ dev }, bundles, { outdir: join(directory, 'cdk.out') });
  return readTemplate({ directory: app.synth().directory, stackName: stackName('dev') });
};

const runSuite = async (store: StoreAddress, outputs: Readonly<Record<string, string>>, baseUrl: string) => {
  using opened = openStoreTables(store, outputs);
  const { campaigns, tokens } = opened.tables;
  await putCampaign(campaigns, { id: randomUUID(), name: 'Newsletter' });
  const { token } = await putToken(tokens, { name: 'all', permissions, now: new Date() });
  const env = { ...process.env, BASE_URL: baseUrl, STAFF_TOKEN: token };
  await run('npm', ['run', 'test:acceptance'], { env, signal: AbortSignal.timeout(10 * 60_000), shown: true });
};

/** Values that the suite sends, and tokens. */
const personalData = /@example\.com|Hello!|crcs_/;

/** @returns whether a function was invoked, failed never, and logged nothing personal */
const isSound = ({ definition: { name }, results, lines }: FunctionProcess): boolean => {
  const messages = results.flatMap((result) => (result.ok ? [] : result.errorMessage));
  // The gateway makes a 401 of this error.
  const errors = messages.filter((message) => message !== 'Unauthorized');
  const leaks = lines.filter((line) => personalData.test(line));
  console.log(
    `${name}: invoked ${results.length} times, ${errors.length} errors, ${leaks.length} log lines with personal data`,
  );
  for (const line of [...errors, ...leaks].slice(0, 5)) console.log(`    ${line}`);
  return results.length > messages.length && errors.length === 0 && leaks.length === 0;
};

const directory = await mkdtemp(join(tmpdir(), 'runtime-'));
const dynalite = createDynalite();
const functions: FunctionProcess[] = [];
try {
  const script = installClient();
  isolate(process.env);
  await using services = await startServices();
  await using receiver = await startReceiver();
  const template = await synthesize(directory, receiver.url);
  const store = { endpoint: await listen(dynalite), accessKeyId: 'local', secretAccessKey: 'local' };
  await createTables(store, template.tables);
  for (const definition of template.functions) {
    const endpoints = { AWS_ENDPOINT_URL: services.url, AWS_ENDPOINT_URL_DYNAMODB: store.endpoint };
    functions.push(await startFunction(script, definition, endpoints));
  }
  assert.equal(functions.length, apiHandlers.length + notificationHandlers.length);

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

  if (functions.map(isSound).includes(false)) process.exitCode = 1;
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof CommandError ? error.message : error);
} finally {
  await Promise.all(functions.map((each) => each.stop()));
  await stop(dynalite);
  await rm(directory, { recursive: true });
}
