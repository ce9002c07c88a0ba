import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { contact } from './contact.ts';
import { type LocalService, withLocalService } from './local-service.ts';
import type { Measurement } from './measurement.ts';
import { median } from './median.ts';
import { paired } from './paired.ts';
import type { Part } from './part.ts';

const rounds = 5;
const creates = 40;

/** Between two creates, in milliseconds: what follows from the one before, such as a mail, is over by then. */
const rest = 60;

const body = v.object({ data: v.object({ id: v.string() }) });

/** A receiver of webhooks, which knows when it got what. */
const startReceiver = async () => {
  const receipts = new Map<string, PromiseWithResolvers<number>>();
  const receiptOf = (id: string) => {
    const receipt = receipts.get(id) ?? Promise.withResolvers<number>();
    receipts.set(id, receipt);
    return receipt;
  };
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const { data } = v.parse(v.pipe(v.string(), v.parseJson(), body), await text(request));
    response.end();
    receiptOf(data.id).resolve(at);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    receipt: (id: string) => receiptOf(id).promise,
    close: () => server.close(),
  };
};

/** Posts a contact request. @returns its id, and between which times it was answered */
const create = async ({ baseUrl }: LocalService) => {
  const headers = { 'Content-Type': 'application/json' };
  const began = performance.now();
  const response = await fetch(`${baseUrl}/api/v1/contact`, { method: 'POST', headers, body: JSON.stringify(contact) });
  const answered = performance.now();
  if (response.status !== 201) throw new Error(`Answered ${response.status} instead of 201.`);
  return { ...v.parse(v.object({ id: v.string() }), await response.json()), began, answered };
};

const measure = async (dataDir: string): Promise<Measurement[]> => {
  const receiver = await startReceiver();
  const settings = { NOTIFY_WEBHOOK: receiver.url, NOTIFY_EMAIL: 'staff@example.com' };
  const delays: number[] = [];
  /** The median time of a create, one after the other. */
  const timeCreates = async (service: LocalService, isNotified: boolean) => {
    const times: number[] = [];
    for (let count = 0; count < creates; count += 1) {
      const { id, began, answered } = await create(service);
      times.push(answered - began);
      if (isNotified) delays.push((await receiver.receipt(id)) - answered);
      await setTimeout(rest);
    }
    return median(times);
  };
  try {
    const { value, ratio } = await withLocalService(
      join(dataDir, 'notifying'),
      (notifying) =>
        withLocalService(join(dataDir, 'silent'), (silent) =>
          paired(
            rounds,
            () => timeCreates(notifying, true),
            () => timeCreates(silent, false),
          ),
        ),
      settings,
    );
    return [
      { name: 'From the 201 to the webhook', value: median(delays.slice(creates)), unit: 'ms' },
      {
        name: 'A create with notifications',
        value,
        unit: 'ms',
        beside: { what: 'one without', ratio },
      },
    ];
  } finally {
    receiver.close();
  }
};

const measureNotifications = async (): Promise<Measurement[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-told-'));
  try {
    return await measure(dataDir);
  } finally {
    await rm(dataDir, { recursive: true });
  }
};

export const notifications: Part = {
  title: 'Notifications',
  tells:
    'How soon a webhook on this machine gets a contact request from the local service, as `npm start` runs it with `NOTIFY_WEBHOOK` and `NOTIFY_EMAIL`, one after the other. Between them are the stream, fan-out, a queue and notify. × 1.00 would be a create that notifications do not slow down.',
  measure: measureNotifications,
};
