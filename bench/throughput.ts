import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { contactListStore, contactStore } from '../functions/contacts/store.ts';
import { createDocumentClient } from '../functions/shared/dynamodb.ts';
import { atOnce, inBatches } from './batches.ts';
import { type LocalService, withLocalService } from './local-service.ts';
import type { Measurement } from './measurement.ts';
import { paired } from './paired.ts';
import type { Part } from './part.ts';

const rounds = 5;
const creates = 1_000;
const pages = 200;

const agent = new Agent({ keepAlive: true });

const fields = { email: 'ada@example.com', message: 'I would like to know more about your engines.' };

const runningStore = v.object({
  endpoint: v.string(),
  accessKeyId: v.string(),
  outputs: v.object({ ContactsTable: v.string() }),
});

/** The store of a running service, called directly. */
const openDirectly = async (dataDir: string) => {
  const { endpoint, accessKeyId, outputs } = v.parse(
    runningStore,
    JSON.parse(await readFile(join(dataDir, 'store.json'), 'utf8')),
  );
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'bench',
  });
  const [client, table] = [createDocumentClient(), outputs.ContactsTable];
  return { ...contactStore(client, table), ...contactListStore(client, table) };
};

/** Sends a request, and reads the answer: by what takes the least of the processors, which it shares with the service. */
const send = (url: string, expected: number, options: RequestOptions, body?: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent }, (incoming) => {
      incoming.on('error', reject).on('end', resolve).resume();
      const { statusCode } = incoming;
      if (statusCode !== expected) reject(new Error(`Answered ${statusCode} instead of ${expected}.`));
    });
    outgoing.on('error', reject).end(body);
  });

/** How often a second something is done. */
const rate = async (count: number, act: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await inBatches(count, act);
  return (count * 1000) / (performance.now() - started);
};

const measurePair = async (
  name: string,
  count: number,
  http: () => Promise<unknown>,
  direct: () => Promise<unknown>,
  target?: Measurement['target'],
): Promise<Measurement> => {
  const { value, ratio } = await paired(
    rounds,
    () => rate(count, http),
    () => rate(count, direct),
  );
  return {
    name,
    value,
    unit: 'requests/s',
    beside: { what: 'the same on its embedded store directly', ratio },
    target,
  };
};

const measure = async (dataDir: string, { baseUrl, staffToken }: LocalService): Promise<Measurement[]> => {
  const store = await openDirectly(dataDir);
  const url = `${baseUrl}/api/v1/contact`;
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const body = JSON.stringify(fields);
  const get = { headers: { Authentication: staffToken } };
  return [
    await measurePair(
      'Creates',
      creates,
      () => send(url, 201, post, body),
      () => store.create({ fields, spam: false, createdAt: new Date() }),
      { bound: '≥', value: 0.7 },
    ),
    await measurePair(
      'List pages of 50',
      pages,
      () => send(url, 200, get),
      () => store.list({ limit: 50, spam: false, now: new Date() }),
    ),
  ];
};

const measureThroughput = async (): Promise<Measurement[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-throughput-'));
  try {
    return await withLocalService(dataDir, (service) => measure(dataDir, service));
  } finally {
    await rm(dataDir, { recursive: true });
  }
};

export const throughput: Part = {
  title: 'Requests a second',
  tells: `Through the local service as \`npm start\` runs it, ${atOnce} at once. × 1.00 would be a gateway, an authorizer and handlers that take no time.`,
  measure: measureThroughput,
};
