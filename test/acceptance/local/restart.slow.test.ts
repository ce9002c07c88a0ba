import * as v from 'valibot';
import { expect, onTestFinished } from 'vitest';
import { testOnPosix } from '../../support/posix.ts';
import { createdContact } from '../contact.ts';
import { sendOnce, sendTo } from '../http.ts';
import { makeDataDir, removeDataDir, startService } from './service.ts';

// `npm run test:faults` kills the service instead.
testOnPosix(
  'Ctrl-C responds to open requests and logs no error; the next start has their data and the token',
  async () => {
    const dataDir = await makeDataDir();
    let service = await startService(dataDir);
    onTestFinished(async () => {
      await service.end('SIGKILL');
      await removeDataDir(dataDir);
    });
    const create = (number: number) =>
      sendOnce(`${service.baseUrl}/api/v1/contact`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: `visitor-${number}@example.com`, message: `Message ${number}` }),
      });
    const responses = Array.from({ length: 20 }, (_, number) => create(number));
    const first = await responses[0];
    const { staffToken, output } = service;
    const { length } = output.stderr;
    expect(await service.end('SIGINT')).toBe(0);
    for (const result of await Promise.allSettled(responses)) {
      if (result.status === 'fulfilled') expect(result.value.status).toBe(201);
    }
    expect(output.stderr.slice(length)).not.toMatch(/error/i);

    service = await startService(dataDir);
    expect(service.staffToken).toBe(staffToken);
    const list = await sendTo(`${service.baseUrl}/api/v1/contact`, { headers: { Authentication: staffToken } });
    expect(list.body).toContainEqual(v.parse(createdContact, first?.body));
  },
);
