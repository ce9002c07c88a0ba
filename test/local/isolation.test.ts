import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { settingsFile } from '../support/environments.ts';
import { send } from './host/http.ts';
import { testFolder } from './host/test-tables.ts';
import { mailsIn } from './notifications/mails.ts';
import { createReceiver } from './notifications/receiver.ts';

const root = join(import.meta.dirname, '..', '..');

/** A server that all settings of the machine lead to. */
const startElsewhere = async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, connections: () => connections };
};

/** A machine whose shell and home folder lead the AWS SDKs and Node elsewhere in every way that they know. */
const misledMachine = (elsewhere: string): Readonly<Record<string, string | undefined>> => {
  const home = testFolder();
  mkdirSync(join(home, '.aws'));
  const profile = [
    ...['region = eu-west-1', `endpoint_url = ${elsewhere}`, 'ignore_configured_endpoint_urls = true'],
    ...['use_fips_endpoint = true', 'use_dualstack_endpoint = true', 'defaults_mode = auto', 'retry_mode = adaptive'],
    ...['account_id_endpoint_mode = required', 'sso_session = none', 'credential_process = false'],
  ].join('\n');
  for (const name of ['config', 'credentials']) writeFileSync(join(home, '.aws', name), `[default]\n${profile}\n`);
  return {
    PATH: process.env['PATH'],
    HOME: home,
    USERPROFILE: home,
    ...{ AWS_PROFILE: 'nobody', AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-1' },
    ...{ AWS_ENDPOINT_URL: elsewhere, AWS_ENDPOINT_URL_DYNAMODB: elsewhere, AWS_ENDPOINT_URL_STS: elsewhere },
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
    ...{ AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true', AWS_DEFAULTS_MODE: 'auto' },
    ...{ AWS_EC2_METADATA_SERVICE_ENDPOINT: elsewhere, AWS_CONTAINER_CREDENTIALS_FULL_URI: elsewhere },
    ...{ AWS_ACCOUNT_ID_ENDPOINT_MODE: 'required', AWS_RETRY_MODE: 'adaptive', AWS_MAX_ATTEMPTS: '1' },
    ...{ NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '' },
    ...{ HTTP_PROXY: elsewhere, HTTPS_PROXY: elsewhere, ALL_PROXY: elsewhere },
    ...{ http_proxy: elsewhere, https_proxy: elsewhere, all_proxy: elsewhere },
  };
};

/** A script of this project, as npm runs it on such a machine. */
const start = (env: Readonly<Record<string, string | undefined>>, ...args: readonly string[]) =>
  spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });

const run = async (env: Readonly<Record<string, string | undefined>>, ...args: readonly string[]) => {
  const child = start(env, ...args);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
};

test('the service, its functions and the local staff command speak to this machine alone, whatever is set', async () => {
  const elsewhere = await startElsewhere();
  const dataDir = join(testFolder(), 'data');
  const receiver = await createReceiver();
  onTestFinished(receiver.goAway);
  const env = {
    ...misledMachine(elsewhere.url),
    ...{ CRCS_SETTINGS: settingsFile, DATA_DIR: dataDir, PORT: '0', SITE_PORT: '0' },
    ...{ NOTIFY_WEBHOOK: receiver.url, NOTIFY_EMAIL: 'staff@example.com' },
  };
  const listCampaigns = () => run(env, 'bin/crcs.cjs', 'campaigns', 'list');

  const service = start(env, 'bin/local.cjs');
  onTestFinished(() => void service.kill('SIGKILL'));
  let printed = '';
  for await (const line of service.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += line;
    if (printed.includes('Ctrl-C')) break;
  }
  const [, baseUrl] = /^Base URL: (\S+)$/m.exec(printed) ?? [];
  const [, token = ''] = /^Staff token: (\S+)$/m.exec(printed) ?? [];
  const created = await send(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ email: 'ada@example.com', message: 'Hello' }),
  });
  expect(created.status).toBe(201);
  // By calls of SQS, Secrets Manager and SES, and a request of the function's own.
  await receiver.arrived('Hello');
  await expect.poll(() => mailsIn(dataDir).length).toBe(1);
  const listed = await send(`${baseUrl}/api/v1/contact`, { headers: [['Authentication', token]] });
  expect(JSON.parse(listed.text)).toEqual([JSON.parse(created.text)]);
  expect(await listCampaigns()).toMatchObject({ code: 0, stdout: expect.stringContaining('Spring sale') });
  expect(await run(env, 'bin/crcs.cjs', 'notifications', 'secret')).toMatchObject({ code: 0 });

  service.kill('SIGTERM');
  await once(service, 'close');
  expect(await listCampaigns()).toMatchObject({ code: 0, stdout: expect.stringContaining('Spring sale') });
  expect(elsewhere.connections()).toBe(0);
});

test('the tests speak to this machine alone, whatever is set', async () => {
  const elsewhere = await startElsewhere();
  // The SDK on the store, the host in the test's own process, requests by fetch.
  const files = ['test/functions/tokens/store', 'test/local/host/store/store.test', 'test/acceptance/caching'];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--coverage.enabled=false', ...files];
  const { code, stdout, stderr } = await run({ ...misledMachine(elsewhere.url), NO_COLOR: '1' }, ...vitest);
  expect(stdout + stderr).toMatch(/Test Files +3 passed/);
  expect(code).toBe(0);
  expect(elsewhere.connections()).toBe(0);
});
