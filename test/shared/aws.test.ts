import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callerAccount, makeClient } from '../../lib/shared/aws.ts';
import { serveProxy } from '../support/proxy.ts';
import { serve } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

afterEach(() => vi.unstubAllEnvs());

const region = 'eu-central-1';

it('sends a hundred requests at once, each over its own connection', async () => {
  const waiting: ServerResponse[] = [];
  await using server = await serve((_, response) => {
    waiting.push(response);
    if (waiting.length < 100) return;
    for (const each of waiting) each.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
  });
  const client = makeClient(DynamoDBClient, { endpoint: server.url, region, maxAttempts: 1 });
  await Promise.all(Array.from({ length: 100 }, () => client.send(new ListTablesCommand())));
  client.destroy();
  expect(waiting).toHaveLength(100);
});

const listTablesAt = async (endpoint: string) => {
  const client = makeClient(DynamoDBClient, { region, maxAttempts: 1, endpoint });
  await client.send(new ListTablesCommand()).finally(() => client.destroy());
};

describe('a proxy of the shell', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])('that %s names gets the requests', async (name) => {
    await using proxy = await serveProxy();
    vi.stubEnv(name, proxy.url);
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    await expect(callerAccount(region)).rejects.toThrow('Failed to establish tunnel to sts.eu-central-1.amazonaws.com');
    expect(proxy.asked).toEqual(['sts.eu-central-1.amazonaws.com:443']);
  });

  it.each(['http://jane:s3cr#et@proxy.example:3128', 'http://jane:s3cr%et@proxy.example:3128'])(
    'that cannot be read is named without its password: %s',
    async (proxy) => {
      vi.stubEnv('HTTPS_PROXY', proxy);
      const error: unknown = await callerAccount(region).catch((thrown) => thrown);
      expect(String(error)).toContain('HTTPS_PROXY or HTTP_PROXY is no URL');
      expect(String(error)).not.toContain('s3cr');
    },
  );

  it('gets the requests for credentials, too', async () => {
    await using proxy = await serveProxy();
    const home = temporaryFolder();
    const cache = join(home, '.aws', 'sso', 'cache');
    mkdirSync(cache, { recursive: true });
    const token = { accessToken: 'token', expiresAt: '2999-01-01T00:00:00Z' };
    writeFileSync(join(cache, `${hash('sha1', 'corp')}.json`), JSON.stringify(token));
    const config = `[profile sso]
sso_session=corp
sso_account_id=123456789012
sso_role_name=operator
[sso-session corp]
sso_region=${region}
sso_start_url=https://corp.awsapps.com/start
`;
    writeFileSync(join(home, 'config'), config);
    vi.stubEnv('HOME', home);
    vi.stubEnv('USERPROFILE', home);
    vi.stubEnv('AWS_CONFIG_FILE', join(home, 'config'));
    vi.stubEnv('AWS_PROFILE', 'sso');
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    await expect(callerAccount(region)).rejects.toThrow(
      'Failed to establish tunnel to portal.sso.eu-central-1.amazonaws.com',
    );
    expect(proxy.asked).toEqual(['portal.sso.eu-central-1.amazonaws.com:443']);
  });

  it('gets no requests to this machine', async () => {
    await using proxy = await serveProxy();
    await using server = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
    });
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, proxy.url);
    vi.stubEnv('NO_PROXY', 'example.com');
    await listTablesAt(server.url);
    await expect(listTablesAt('https://127.0.0.1:1')).rejects.toThrow('ECONNREFUSED');
    expect(proxy.asked).toEqual([]);
  });
});

it('keys of the shell win over its profile, as in the CDK', async () => {
  const signed: (string | undefined)[] = [];
  await using server = await serve((request, response) => {
    signed.push(request.headers.authorization);
    response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
  });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'KEY-OF-THE-SHELL');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_PROFILE', 'mfa');
  await listTablesAt(server.url);
  expect(signed).toEqual([expect.stringContaining('Credential=KEY-OF-THE-SHELL/')]);
});

it('says that the file of AWS_CA_BUNDLE is missing', async () => {
  vi.stubEnv('AWS_CA_BUNDLE', 'none.pem');
  await expect(callerAccount(region)).rejects.toThrow('AWS_CA_BUNDLE: cannot use none.pem: ENOENT');
});
