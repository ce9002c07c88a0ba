import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type Contact, contactList, contactSchema, createdContact } from '../acceptance/contact.ts';
import { type ApiResponse, nextQuery, sendOnce } from '../acceptance/http.ts';
import { makeDataDir, removeDataDir, startService } from '../acceptance/local/service.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { settingsFile } from './environments.ts';
import { checkFiles, createFiles, formOf, keysOf, makeOlder, storedKeys, withoutUrls } from './sent-files.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const contactPath = '/api/v1/contact';
const visitors = 16;

/** A visitor's message. Visitors send it again, with its key, until it gets a response. */
interface Sent {
  readonly key: string;
  readonly message: string;
  /** With some, it is sent as a form. */
  readonly files: readonly Buffer[];
  /** What the service responded with. */
  contact?: Contact;
  /** Whether its deletion was only asked for, or the service has confirmed it. */
  deletion?: 'asked' | 'done';
}

/** Sends again after a 503, as a client does: the store of a busy machine can be too slow once. */
const patiently = async (send: () => Promise<ApiResponse>): Promise<ApiResponse> => {
  let response = await send();
  for (let tries = 0; response.status === 503 && tries < 3; tries += 1) {
    await setTimeout(Number(response.headers.get('retry-after')) * 1000);
    response = await send();
  }
  return response;
};

const post = async ({ baseUrl }: Service, { key, message, files }: Sent): Promise<Contact> => {
  const json = {
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ email: 'visitor@example.com', message }),
  };
  const form = () => ({ headers: { 'Idempotency-Key': key }, body: formOf(message, files) });
  const response = await patiently(() =>
    sendOnce(baseUrl + contactPath, { method: 'POST', ...(files.length > 0 ? form() : json) }),
  );
  assert.equal(response.status, 201, response.text);
  return v.parse(createdContact, response.body);
};

/** The id of the contact request in a webhook-id. */
const idIn = (webhookId: string) => webhookId.replace(/-\d+$/, '');

const ask = ({ baseUrl, staffToken }: Service, path: string, method = 'GET') =>
  sendOnce(baseUrl + path, { method, headers: { Authentication: staffToken } });

const read = (service: Service, path: string) => patiently(() => ask(service, path));

const readContact = async (service: Service, id: string | undefined) => {
  const { status, body } = await read(service, `${contactPath}/${id}`);
  return { status, found: status === 200 ? v.parse(contactSchema, body) : undefined };
};

/** Creates contact requests and deletes every third one, many at once, until the service is gone. */
const load = async (service: Service, sent: Sent[], onResponse: () => void) => {
  const visit = async () => {
    for (;;) {
      const files = createFiles(sent.length % 2 === 0 ? 1 + (sent.length % 3) : 0);
      const own: Sent = { key: randomUUID(), message: randomUUID(), files };
      sent.push(own);
      own.contact = await post(service, own);
      onResponse();
      if (sent.length % 3 > 0) continue;
      own.deletion = 'asked';
      const { status } = await ask(service, `${contactPath}/${own.contact.id}`, 'DELETE');
      // The service may have deleted it, or not.
      if (status === 503) continue;
      assert.equal(status, 204);
      own.deletion = 'done';
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: visitors }, visit));
  for (const end of ends)
    if (end.status === 'rejected' && end.reason instanceof assert.AssertionError) throw end.reason;
};

const listAll = async (service: Service, since: Date): Promise<Contact[]> => {
  const all: Contact[] = [];
  for (let query: string | undefined = `?limit=200&since=${since.toISOString()}`; query !== undefined; ) {
    const response = await read(service, contactPath + query);
    all.push(...v.parse(contactList, response.body));
    query = nextQuery(response);
  }
  return all;
};

/** Acts on every item, as many at once as there are visitors. */
const forEach = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: visitors }, async () => {
      for (const item of rest) await act(item);
    }),
  );
};

/**
 * Compares the responses before the kill with the store after it.
 * @param since no message was sent earlier
 * @returns the stored ids
 */
const check = async (service: Service, sent: readonly Sent[], since: Date) => {
  await forEach(sent, async (each) => {
    // A page that got no response sends again. Deleted ones are left out: their key is free again.
    if (each.contact === undefined) each.contact = await post(service, each);
    const { status, found } = await readContact(service, each.contact.id);
    if (each.deletion === 'done') assert.equal(status, 404, `a deleted contact request came back: ${status}`);
    if (found) await checkFiles(found, each.files);
    if (each.deletion !== undefined) return;
    assert.deepEqual(found && withoutUrls(found), each.contact, `a 201 is not stored: ${status}`);
  });
  const list = await listAll(service, since);
  const messages = list.map(({ message }) => message);
  assert.equal(new Set(messages).size, messages.length, 'a key is stored twice');
  await forEach(list, async (listed) => {
    const { found } = await readContact(service, listed.id);
    assert.deepEqual(found && withoutUrls(found), listed, 'the list differs from the item');
  });
  const ids = new Set(list.map(({ id }) => id));
  for (const { contact, deletion } of sent) {
    if (deletion === undefined) assert(ids.has(contact?.id ?? ''), 'a 201 is not listed');
    if (deletion === 'done') assert(!ids.has(contact?.id ?? ''), 'a deleted contact request is listed');
  }
  return ids;
};

/** Compares the stored contact requests of `sent` with the notifications that the receiver got. */
const checkNotified = async ({ received }: Receiver, sent: readonly Sent[], stored: ReadonlySet<string>) => {
  const webhookIds = () => new Set(received.map(({ headers }) => String(headers['webhook-id'])));
  const notified = () => new Set([...webhookIds()].map(idIn));
  const isComplete = () => {
    const told = notified();
    return [...stored].every((id) => told.has(id)) || undefined;
  };
  await until('a webhook for every stored contact request', isComplete, AbortSignal.timeout(60_000));
  const known = new Set(sent.map(({ contact }) => contact?.id));
  for (const id of notified()) assert(known.has(id), 'a webhook names an unknown contact request');
  assert.equal(webhookIds().size, notified().size, 'a contact request has two webhook ids');
};

/** What delete-files leaves to its sweep, in milliseconds. */
const sweptAfter = 48 * 60 * 60_000;

/** Compares the objects with those that the contact requests name, after the sweep of what killed creates have left. */
const checkObjects = async (service: Service, dataDir: string, sent: readonly Sent[]) => {
  const named = new Set<string>();
  await forEach(sent, async ({ contact }) => {
    const { found } = await readContact(service, contact?.id);
    for (const key of found ? keysOf(found) : []) named.add(key);
  });
  const areSwept = () => isDeepStrictEqual(new Set(storedKeys(dataDir)), named) || undefined;
  await until('only the files that contact requests name', areSwept, AbortSignal.timeout(60_000));
  return named.size;
};

/** Kills the service during creates, uploads, deletes and webhooks, again and again on the same data. */
export const tryKills = async (rounds: number): Promise<void> => {
  const dataDir = await makeDataDir();
  await using receiver = await startReceiver();
  const settings = { NOTIFY_WEBHOOK: receiver.url, CRCS_SETTINGS: settingsFile };
  let service = await startService(dataDir, settings);
  const allSent: Sent[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const since = new Date();
      const sent: Sent[] = [];
      // A different number in each round: the kill hits another moment of the service's work.
      let responsesLeft = 100 + round * 7;
      let killed: Promise<unknown> | undefined;
      await load(service, sent, () => {
        responsesLeft -= 1;
        if (responsesLeft === 0) killed = service.end('SIGKILL');
      });
      assert(killed, 'the service ended before it was killed');
      await killed;
      service = await startService(dataDir, settings);
      allSent.push(...sent);
      await checkNotified(receiver, allSent, await check(service, sent, since));
      console.log(`kill -9, round ${round}: ${sent.length} creates, ${receiver.received.length} webhooks so far`);
    }
    await service.end('SIGTERM');
    const objects = storedKeys(dataDir).length;
    makeOlder(dataDir, sweptAfter + 60_000);
    service = await startService(dataDir, settings);
    const named = await checkObjects(service, dataDir, allSent);
    console.log(`files: ${named} named by contact requests, ${objects - named} of others swept`);
  } finally {
    await service.end('SIGTERM');
    await removeDataDir(dataDir);
  }
};
