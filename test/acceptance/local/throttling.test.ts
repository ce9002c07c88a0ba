import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../lib/infrastructure/app.ts';
import { bundleFunctions } from '../../../lib/infrastructure/bundle.ts';
import type { EnvironmentInput } from '../../../lib/infrastructure/settings.ts';
import { stackName } from '../../../lib/infrastructure/stack-name.ts';
import { systemClock } from '../../../lib/local/host/clock.ts';
import { type Host, startHost } from '../../../lib/local/host/host.ts';
import { expectError } from '../expect-error.ts';
import { sendOnce } from '../http.ts';
import { makeDataDir, removeDataDir } from './service.ts';

const siteOrigin = 'https://www.example.com';
const once = { rate: 1, burst: 1 };

let dataDir: string;
let host: Host;

// The service on a gateway that admits one request to each method: its clock stands still.
beforeAll(async () => {
  dataDir = await makeDataDir();
  const throttled: EnvironmentInput = {
    siteOrigins: [siteOrigin],
    throttles: { public: once, staff: once },
    retainData: false,
    logRetentionDays: 1,
  };
  const synthesize = async () => {
    const bundles = await bundleFunctions(join(dataDir, 'functions'));
    const app = createApp({ throttled }, bundles, { outdir: join(dataDir, 'cdk.out') });
    return { directory: app.synth().directory, stackName: stackName('throttled') };
  };
  const now = Date.now();
  const clock = { ...systemClock, now: () => now };
  host = await startHost({ dataDir, synthesize, port: 0, clock, log: () => {} });
});

afterAll(async () => {
  await host.close();
  await removeDataDir(dataDir);
});

test('a throttled page of a site reads 429, and when to come back', async () => {
  const post = () =>
    sendOnce(`${host.baseUrl}/api/v1/contact`, { method: 'POST', headers: { Origin: siteOrigin }, body: 'Hi' });
  expectError(await post(), 415);
  const answer = await post();
  expectError(answer, 429);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  expect(answer.headers.get('access-control-allow-origin')).toBe(siteOrigin);
  expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
});

test('throttled staff get 429 in the form of every error', async () => {
  const list = () => sendOnce(`${host.baseUrl}/v1/campaigns`);
  expectError(await list(), 401);
  const answer = await list();
  expectError(answer, 429);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
});
