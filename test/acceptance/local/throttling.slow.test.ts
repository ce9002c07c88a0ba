import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
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

let bundles: string;

beforeAll(async () => {
  const folder = await makeDataDir();
  bundles = await bundleFunctions(join(folder, 'functions'));
  return () => removeDataDir(folder);
});

/** Starts the service on a gateway whose clock stands still, so that its buckets do not fill again. */
const start = async (siteOrigins: string[]) => {
  const dataDir = await makeDataDir();
  const throttled: EnvironmentInput = {
    sites: siteOrigins.map((origin) => ({ origin })),
    throttles: { public: { rate: 1, burst: 2 }, staff: { rate: 1, burst: 1 } },
    retainData: false,
    logRetentionDays: 1,
  };
  const synthesize = async () => {
    const app = createApp({ throttled }, bundles, {
      outdir: join(dataDir, 'cdk.out'),
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
      await removeDataDir(dataDir);
    },
  };
};

let service: Awaited<ReturnType<typeof start>>;

describe.each([
  ['one site', [siteOrigin], siteOrigin],
  ['several sites', ['https://shop.example.com', siteOrigin], '*'],
])('with %s', (_, siteOrigins, allowed) => {
  beforeAll(async () => {
    service = await start(siteOrigins);
    return service.stop;
  });

  test('a throttled page of a site reads 429, and when to come back', async () => {
    const post = () => service.send('/api/v1/contact', { method: 'POST', headers: { Origin: siteOrigin }, body: 'Hi' });
    for (const answer of [await post(), await post()]) {
      expectError(answer, 415);
      expect(answer.headers.get('access-control-allow-origin')).toBe(siteOrigin);
    }
    const answer = await post();
    expectError(answer, 429);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
    expect(answer.headers.get('access-control-expose-headers')).toBe('Retry-After');
    expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
  });

  test('a page elsewhere reads an error of the gateway only where there are several sites', async () => {
    const headers = { Origin: 'https://foreign.example.net' };
    const { headers: answered } = await service.send('/api/v1/contacts', { method: 'POST', headers });
    expect(answered.get('access-control-allow-origin')).toBe(allowed);
  });

  test('a preflight is throttled as what it asks for, not as staff are', async () => {
    const headers = { Origin: siteOrigin, 'Access-Control-Request-Method': 'POST' };
    const ask = () => service.send('/api/v1/contact', { method: 'OPTIONS', headers });
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([204, 204, 429]);
  });

  test('throttled staff get 429 in the form of every error', async () => {
    const list = () => service.send('/v1/campaigns');
    expectError(await list(), 401);
    const answer = await list();
    expectError(answer, 429);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  });
});
