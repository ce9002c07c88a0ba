import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testOnPosix } from '../../support/posix.ts';
import { type Contact, contactSchema } from '../contact.ts';
import { sendOnce, sendTo } from '../http.ts';
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

const create = (number: number) =>
  sendOnce(`${service.baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `visitor-${number}@example.com`, message: `Message ${number}` }),
  });

/** Creates contact requests, twenty at a time, until the service ends. @param answered gets each one */
const createUntilItEnds = async (answered: Contact[]) => {
  let number = 0;
  const visitor = async () => {
    try {
      for (;;) {
        number += 1;
        const { status, body } = await create(number);
        if (status === 201) answered.push(v.parse(contactSchema, body));
      }
    } catch {
      // The service is gone.
    }
  };
  await Promise.all(Array.from({ length: 20 }, visitor));
};

const read = async (path: string, token: string) =>
  (await sendTo(service.baseUrl + path, { headers: { Authentication: token } })).body;

test('kill -9 during creates loses no contact request, token or campaign', async () => {
  const { staffToken } = service;
  const campaigns = await read('/v1/campaigns', staffToken);
  const answered: Contact[] = [];
  const visitors = createUntilItEnds(answered);
  await expect.poll(() => answered.length).toBeGreaterThan(100);
  await service.end('SIGKILL');
  await visitors;

  service = await startService(dataDir);
  for (const contact of answered) expect(await read(`/api/v1/contact/${contact.id}`, staffToken)).toEqual(contact);
  expect(campaigns).not.toEqual([]);
  expect(await read('/v1/campaigns', staffToken)).toEqual(campaigns);
  // A second start issues no second token.
  expect(service.staffToken).toBe(staffToken);
});

testOnPosix('Ctrl-C answers open requests, logs no error, and exits with 0', async () => {
  await create(0);
  const answers = Array.from({ length: 20 }, (_, number) => create(number));
  await answers[0];
  const { length } = service.output.stderr;
  expect(await service.end('SIGINT')).toBe(0);
  for (const result of await Promise.allSettled(answers)) {
    if (result.status === 'fulfilled') expect(result.value.status).toBe(201);
  }
  expect(service.output.stderr.slice(length)).not.toMatch(/error/i);
});
