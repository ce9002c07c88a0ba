import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { type Contact, contactList, contactSchema } from '../acceptance/contact.ts';
import { type Answer, nextQuery, sendOnce } from '../acceptance/http.ts';
import { makeDataDir, removeDataDir, startService } from '../acceptance/local/service.ts';
import { until } from '../rehearsal/until.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { firstLine, type Outcome } from './outcome.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const contactPath = '/api/v1/contact';
const visitors = 16;

/** A visitor's message, which is sent again with its key until it is answered. */
interface Sent {
  readonly key: string;
  readonly message: string;
  /** What it was answered with. */
  contact?: Contact;
  /** What became of a request to delete it. */
  deletion?: 'asked' | 'answered';
}

/** A busy machine's store can be too slow for once: what can be sent again is, when the service says so. */
const patiently = async (send: () => Promise<Answer>): Promise<Answer> => {
  let answer = await send();
  for (let tries = 0; answer.status === 503 && tries < 3; tries += 1) {
    await setTimeout(Number(answer.headers.get('retry-after')) * 1000);
    answer = await send();
  }
  return answer;
};

const post = async ({ baseUrl }: Service, { key, message }: Sent): Promise<Contact> => {
  const answer = await patiently(() =>
    sendOnce(baseUrl + contactPath, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ email: 'visitor@example.com', message }),
    }),
  );
  assert.equal(answer.status, 201, answer.text);
  return v.parse(contactSchema, answer.body);
};

/** The contact request's part of a webhook-id. */
const idIn = (webhookId: unknown) => String(webhookId).replace(/-\d+$/, '');

const ask = ({ baseUrl, staffToken }: Service, path: string, method = 'GET') =>
  sendOnce(baseUrl + path, { method, headers: { Authentication: staffToken } });

const read = (service: Service, path: string) => patiently(() => ask(service, path));

/** Creates, and deletes each third, many at once, until the service is gone. */
const load = async (service: Service, sent: Sent[], onAnswer: () => void) => {
  const visit = async () => {
    for (;;) {
      const own: Sent = { key: randomUUID(), message: randomUUID() };
      sent.push(own);
      own.contact = await post(service, own);
      onAnswer();
      if (sent.length % 3 > 0) continue;
      own.deletion = 'asked';
      const { status } = await ask(service, `${contactPath}/${own.contact.id}`, 'DELETE');
      // It may be deleted, or not.
      if (status === 503) continue;
      assert.equal(status, 204);
      own.deletion = 'answered';
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: visitors }, visit));
  for (const end of ends)
    if (end.status === 'rejected' && end.reason instanceof assert.AssertionError) throw end.reason;
};

const listAll = async (service: Service, since: Date): Promise<Contact[]> => {
  const all: Contact[] = [];
  for (let query: string | undefined = `?limit=200&since=${since.toISOString()}`; query !== undefined; ) {
    const answer = await read(service, contactPath + query);
    all.push(...v.parse(contactList, answer.body));
    query = nextQuery(answer);
  }
  return all;
};

/** Does something with each item, as many at once as there are visitors. */
const forEach = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: visitors }, async () => {
      for (const item of rest) await act(item);
    }),
  );
};

/**
 * Compares what was answered before with what is there now.
 * @param since nothing was sent earlier
 */
const check = async (service: Service, sent: readonly Sent[], since: Date) => {
  await forEach(sent, async (each) => {
    // Sent again, as a visitor's page does whose answer was lost; not what may be deleted, whose key is free again.
    if (each.contact === undefined) each.contact = await post(service, each);
    const { status, body } = await read(service, `${contactPath}/${each.contact.id}`);
    if (each.deletion === 'answered') assert.equal(status, 404, `what was deleted stays deleted: ${status}`);
    else if (each.deletion === undefined)
      assert.deepEqual(body, each.contact, `what was answered with 201 is there: ${status}`);
  });
  const list = await listAll(service, since);
  const messages = list.map(({ message }) => message);
  assert.equal(new Set(messages).size, messages.length, 'each key is stored once');
  await forEach(list, async (listed) => {
    assert.deepEqual(
      (await read(service, `${contactPath}/${listed.id}`)).body,
      listed,
      'what is listed can be fetched',
    );
  });
  const ids = new Set(list.map(({ id }) => id));
  for (const { contact, deletion } of sent) {
    if (deletion === undefined) assert(ids.has(contact?.id ?? ''), 'what was answered with 201 is listed');
    if (deletion === 'answered') assert(!ids.has(contact?.id ?? ''), 'what was deleted is not listed');
  }
  return ids;
};

/**
 * Compares what is there with what a webhook was told.
 * @param stored the ids of what is there of `sent`
 */
const checkTold = async ({ received }: Receiver, sent: readonly Sent[], stored: ReadonlySet<string>) => {
  const toldOf = () => new Map(received.map(({ headers }) => [idIn(headers['webhook-id']), headers['webhook-id']]));
  const missing = () => [...stored].filter((id) => !toldOf().has(id)).length;
  await until('the webhook was told of all', () => missing() === 0 || undefined, AbortSignal.timeout(60_000));
  const known = new Set(sent.map(({ contact }) => contact?.id));
  for (const id of toldOf().keys()) assert(known.has(id), 'what is told was stored');
  const webhookIds = new Set(received.map(({ headers }) => headers['webhook-id']));
  assert.equal(webhookIds.size, toldOf().size, 'each is told with one webhook-id');
};

/** Kills the service in the middle of creates, deletes and webhooks, again and again on the same data. */
export const tryKills = async (rounds: number): Promise<Outcome[]> => {
  const dataDir = await makeDataDir();
  await using receiver = await startReceiver();
  const settings = { NOTIFY_WEBHOOK: receiver.url };
  let service = await startService(dataDir, settings);
  const outcomes: Outcome[] = [];
  const allSent: Sent[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const started = performance.now();
      const [since, sent]: [Date, Sent[]] = [new Date(), []];
      const fails: unknown[] = [];
      // After more and more answers, so that each kill meets another moment of the service's work.
      let answersLeft = 100 + round * 7;
      let killed: Promise<unknown> | undefined;
      const onAnswer = () => {
        answersLeft -= 1;
        if (answersLeft === 0) killed = service.end('SIGKILL');
      };
      await load(service, sent, onAnswer).catch((error) => fails.push(error));
      // Also when all visitors failed before.
      await (killed ?? service.end('SIGKILL'));
      service = await startService(dataDir, settings);
      allSent.push(...sent);
      await check(service, sent, since)
        .then((stored) => checkTold(receiver, allSent, stored))
        .catch((error) => fails.push(error));
      outcomes.push({
        row: `kill -9, round ${round}`,
        column: '',
        says: `${sent.length} creates, ${receiver.received.length} webhooks so far`,
        milliseconds: performance.now() - started,
        wrong: fails.length > 0 ? fails.map(firstLine).join('; ') : undefined,
      });
    }
  } finally {
    await service.end('SIGTERM');
    await removeDataDir(dataDir);
  }
  return outcomes;
};
