import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environments } from '../../support/environments.ts';
import { contactList } from '../contact.ts';
import { sendTo } from '../http.ts';
import { makeDataDir, removeDataDir, startService } from './service.ts';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await makeDataDir();
  dataDir = join(folder, 'data');
});
afterEach(() => removeDataDir(folder));

/** Serves the folder with a setting while something is done. */
const served = async <Result>(
  listShards: number,
  act: (ask: (method: 'GET' | 'POST') => Promise<unknown>) => Promise<Result>,
): Promise<Result> => {
  const settings = join(folder, 'environments.json');
  await writeFile(settings, JSON.stringify({ dev: { ...environments.dev, listShards } }));
  const service = await startService(dataDir, { CRCS_SETTINGS: settings });
  try {
    return await act(async (method) => {
      const { body } = await sendTo(`${service.baseUrl}/api/v1/contact`, {
        method,
        headers: { 'Content-Type': 'application/json', Authentication: service.staffToken },
        ...(method === 'POST' && { body: JSON.stringify({ email: 'ada@example.com', message: 'Hello' }) }),
      });
      return body;
    });
  } finally {
    await service.end('SIGTERM');
  }
};

const fill = (listShards: number) =>
  served(listShards, (ask) => Promise.all(Array.from({ length: 20 }, () => ask('POST'))));

const listed = (listShards: number) => served(listShards, async (ask) => v.parse(contactList, await ask('GET')).length);

test('a data directory stays spread over as many partitions as it ever was', async () => {
  await fill(4);
  expect(await listed(1)).toBe(20);
  expect(await listed(1)).toBe(20);
  await fill(6);
  expect(await listed(1)).toBe(40);
});
