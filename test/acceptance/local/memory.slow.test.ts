import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendTo } from '../http.ts';
import { type LocalService, makeDataDir, removeDataDir, startService } from './service.ts';

let dataDir: string;
let service: LocalService;

beforeAll(async () => {
  dataDir = await makeDataDir();
  service = await startService(dataDir);
});

afterAll(async () => {
  await service.end('SIGKILL');
  await removeDataDir(dataDir);
});

/** The memory of the service's process, in megabytes. */
const residentMegabytes = async () => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${service.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};

test.skipIf(process.platform !== 'linux')('stays below 500 MB after thousands of requests', async () => {
  const asStaff = { headers: { Authentication: service.staffToken } };
  const create = () =>
    sendTo(`${service.baseUrl}/api/v1/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', message: 'Hello' }),
    });
  const list = (path: string) => sendTo(service.baseUrl + path, asStaff);
  const visit = async () => {
    for (let round = 0; round < 50; round += 1) {
      expect((await create()).status).toBe(201);
      expect((await list('/api/v1/contact?limit=20')).status).toBe(200);
      expect((await list('/v1/campaigns')).status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 20 }, visit));
  expect(await residentMegabytes()).toBeLessThan(500);
});
