import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../../lib/infrastructure/bundle.ts';
import { type EnvironmentInput, stackName } from '../../../lib/infrastructure/settings.ts';
import { systemClock } from '../../../lib/local/host/clock.ts';
import { startHost } from '../../../lib/local/host/host.ts';
import { sendDocumented } from '../documented.ts';
import { expectError } from '../expect-error.ts';
import { sendOnce } from '../http.ts';
import { makeDataDir, removeDataDir } from './service.ts';

const siteOrigin = 'https://www.example.com';

/** Starts the service with a clock that stands still, so that throttled requests stay throttled. */
const start = async () => {
  const folder = await makeDataDir();
  const dataDir = join(folder, 'data');
  const bundles = await bundleFunctions(join(folder, 'functions'));
  const throttled: EnvironmentInput = {
    sites: [{ origin: siteOrigin }],
    throttles: { public: { rate: 1, burst: 2 }, staff: { rate: 1, burst: 1 } },
    retainData: false,
    logRetentionDays: 1,
  };
  const synthesize = async () => {
    const app = createApp({ throttled }, bundles, {
      outdir: join(folder, 'cdk.out'),
      stackTraces: false,
      treeMetadata: false,
    });
    return { directory: app.synth().directory, stackName: stackName('throttled') };
  };
  const now = Date.now();
  const clock = { ...systemClock, now: () => now };
  const host = await startHost({ dataDir, synthesize, port: 0, clock, log: () => {} });
  return {
    send: (path: string, init?: RequestInit) => sendDocumented(host.baseUrl, path, init, sendOnce),
    stop: async () => {
      await host.close();
      await removeDataDir(folder);
    },
  };
};

let service: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  service = await start();
  return service.stop;
});

test('responds with 429 and Retry-After to a page of a site', async () => {
  const post = () => service.send('/api/v1/contact', { method: 'POST', headers: { Origin: siteOrigin }, body: 'Hi' });
  expectError(await post(), 400, ['email', 'message']);
  expectError(await post(), 400, ['email', 'message']);
  const response = await post();
  expectError(response, 429);
  expect(response.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  expect(response.headers.get('access-control-allow-origin')).toBe(siteOrigin);
  expect(response.headers.get('access-control-expose-headers')).toBe('Retry-After');
  expect(response.headers.get('vary')).toMatch(/\borigin\b/i);
});

test('throttles preflights together with the public endpoint', async () => {
  const headers = { Origin: siteOrigin, 'Access-Control-Request-Method': 'POST' };
  const ask = () => service.send('/api/v1/contact', { method: 'OPTIONS', headers });
  expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([204, 204, 429]);
});

test('responds with 429 to staff', async () => {
  const list = () => service.send('/v1/campaigns');
  expectError(await list(), 401, ['Authentication']);
  expectError(await list(), 429);
});
