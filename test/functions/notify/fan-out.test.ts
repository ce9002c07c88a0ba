import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Change, changeContact } from '../../../functions/contacts/change.ts';
import { releaseContact, setExpiry } from '../../../functions/contacts/manage-contacts.ts';
import type { Conditions } from '../../../functions/notify/conditions.ts';
import { fanOut } from '../../../functions/notify/fan-out.ts';
import { noSite, type TargetMessage } from '../../../functions/notify/target.ts';
import { embeddedMetrics } from '../../../functions/shared/metrics.ts';
import { idIn, minimal, siteOrigin as site, siteWithThankYouPage, startContacts } from '../../support/contacts.ts';
import { lambdaContext } from '../../support/event.ts';
import { logLines, logText } from '../../support/log.ts';
import { done, recordOf } from '../../support/notifications.ts';
import { client } from '../../support/tables.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);
const targets = ['Email00000000', 'Webhook01234567'];
const all = new Map(targets.map((name) => [name, {}]));

/** The function and the messages that it sends. */
const startFanOut = async (
  fail: (message: TargetMessage) => Error | undefined = () => undefined,
  conditions: ReadonlyMap<string, Conditions> = all,
) => {
  const contacts = await startContacts(() => noon);
  const sent: TargetMessage[] = [];
  const handler = fanOut({
    targets: conditions,
    send: async (message) => {
      const error = fail(message);
      if (error) throw error;
      sent.push(message);
    },
    count: embeddedMetrics('test', () => noon),
  });
  return {
    contacts,
    sent,
    take: (...records: unknown[]) => handler({ Records: records }, lambdaContext(30_000)),
    invoke: (event: unknown) => handler(event, lambdaContext(30_000)),
    posted: async (body: unknown = minimal, origin?: string) => {
      const id = idIn(await contacts.post(body, origin === undefined ? {} : { Origin: origin }));
      return { id, record: await recordOf(contacts.table, id, noon) };
    },
  };
};

const metric = (name: string) => expect.objectContaining({ Environment: 'test', [name]: 1 });

it('sends a message without personal data to each target', async () => {
  const { posted, take, sent } = await startFanOut();
  const { id, record } = await posted();
  expect(await take(record)).toStrictEqual(done);
  expect(sent).toStrictEqual(targets.map((target) => ({ target, id, listedAt: noon.toISOString() })));
});

it('sends a message for a release from spam, with the time of the release', async () => {
  const { contacts, posted, take, sent } = await startFanOut();
  const { id } = await posted({ ...minimal, _gotcha: 'spam' });
  const releasedAt = later(30 * 24 * 60 * 60);
  await releaseContact({ client, table: contacts.table }, id, releasedAt);
  await take(await recordOf(contacts.table, id, releasedAt, 'MODIFY'));
  expect(sent).toMatchObject(targets.map(() => ({ id, listedAt: releasedAt.toISOString() })));
});

const { origin: shop } = siteWithThankYouPage;

const conditions = new Map<string, Conditions>([
  ['all', {}],
  ['sales at shop', { forms: ['sales'], sites: [shop] }],
  ['site or none', { sites: [site, noSite] }],
  ['support', { where: { topic: ['Support'], company: ['ACME'], campaign: ['spring'] } }],
  ['others', { otherwise: true, sites: [shop] }],
  ['spam', { spam: true }],
  ['spam of sales', { spam: true, forms: ['sales'] }],
]);

const supported = { topic: ['Press', ' support '], Firma: 'Acme', utm_campaign: 'Spring' };

describe('sends a message only to targets whose conditions the contact request meets', () => {
  it.each<[sent: object, origin: string | undefined, expected: readonly string[]]>([
    [{ 'form-name': 'sales' }, shop, ['all', 'sales at shop']],
    [{ 'form-name': 'sales' }, undefined, ['all', 'site or none']],
    [{ 'form-name': 'jobs' }, shop, ['all', 'others']],
    [supported, shop, ['all', 'support']],
    [{ ...supported, topic: 'Press' }, shop, ['all', 'others']],
    [{ _gotcha: 'spam', 'form-name': 'sales' }, shop, ['spam', 'spam of sales']],
    [{ _gotcha: 'spam', ...supported }, shop, ['spam']],
  ])('%j of %s', async (fields, origin, expected) => {
    const { posted, take, sent } = await startFanOut(undefined, conditions);
    const { record } = await posted({ ...minimal, ...fields }, origin);
    expect(await take(record)).toStrictEqual(done);
    expect(sent.map(({ target }) => target)).toStrictEqual(expected);
  });

  it('after a release from spam', async () => {
    const { contacts, posted, take, sent } = await startFanOut(undefined, conditions);
    const { id } = await posted({ ...minimal, _gotcha: 'spam', ...supported });
    await releaseContact({ client, table: contacts.table }, id, later(60));
    await take(await recordOf(contacts.table, id, later(60), 'MODIFY'));
    expect(sent.map(({ target }) => target)).toStrictEqual(['all', 'site or none', 'support']);
  });
});

it('sends a message for a stream record without a time', async () => {
  const { posted, take, sent } = await startFanOut();
  const { dynamodb, ...rest } = (await posted()).record;
  const { ApproximateCreationDateTime: _, ...others } = dynamodb;
  await take({ ...rest, dynamodb: others });
  expect(sent).toHaveLength(2);
});

describe('tells nobody of a change by staff, within the hour in which it would be news', () => {
  const inboxTargets = ['all', 'site or none', 'support'];

  /** Changes a contact request, each a second later. @returns to whom fan-out sends messages of the changes */
  const toldOf = async (body: object, changes: readonly Change[]) => {
    const { contacts, posted, take, sent } = await startFanOut(undefined, conditions);
    const { id } = await posted({ ...minimal, ...supported, ...body });
    for (const [at, change] of changes.entries()) {
      const time = later(60 + at);
      const { outcome } = await changeContact({ client, table: contacts.table }, id, change, time);
      if (outcome === 'changed') await take(await recordOf(contacts.table, id, time, 'MODIFY'));
    }
    return sent.map(({ target }) => target);
  };

  const spam = { _gotcha: 'spam' };
  const answer = { answeredBy: 'Ada' };
  const undo = { answeredBy: false } as const;
  const mark = { spam: true };
  const release = { spam: false };
  it.each<[what: string, body: object, changes: readonly Change[]]>([
    ['answered, twice', {}, [answer, answer]],
    ['answered, and back', {}, [answer, undo]],
    ['spam that is answered, and back', spam, [answer, undo]],
    ['marked, also not those who want spam', {}, [mark, mark]],
    ['marked, and back', {}, [mark, release, release]],
    ['marked, and back, answered meanwhile', {}, [answer, mark, undo, release]],
  ])('%s', async (_, body, changes) => {
    expect(await toldOf(body, changes)).toStrictEqual([]);
  });

  it.each<[what: string, changes: readonly Change[]]>([
    ['what a defence caught', [release]],
    ['what was answered before', [answer, release]],
    ['and answered at once', [{ ...release, ...answer }]],
    ['once, whatever comes then', [release, release, answer, mark, release, undo]],
  ])('but of a release: %s', async (_, changes) => {
    expect(await toldOf(spam, changes)).toStrictEqual(inboxTargets);
  });

  it('another expiry', async () => {
    const { contacts, posted, take, sent } = await startFanOut();
    const { id } = await posted();
    const key = `${noon.toISOString()}#${id}`;
    const contact = { id, createdAt: noon.toISOString(), listSort: key };
    for (const [at, expiresAt] of [2_000_000_000, undefined].entries()) {
      const before = at === 0 ? contact : { ...contact, expiresAt: 2_000_000_000 };
      expect(await setExpiry({ client, table: contacts.table }, before, expiresAt)).toBe(true);
      await take(await recordOf(contacts.table, id, later(60), 'MODIFY'));
    }
    expect(sent).toStrictEqual([]);
  });

  it('but still of a new contact request that was changed before its record came', async () => {
    const { contacts, posted, take, sent } = await startFanOut();
    const { id, record } = await posted();
    await changeContact({ client, table: contacts.table }, id, answer, later(1));
    await take(record, await recordOf(contacts.table, id, later(1), 'MODIFY'));
    expect(sent).toHaveLength(2);
  });

  it('but still of a new contact request that takes the place of an expired one', async () => {
    let now = noon;
    const contacts = await startContacts(() => now, { retentionDays: 1 });
    const key = { 'Idempotency-Key': 'key' };
    const id = idIn(await contacts.post(minimal, key));
    await changeContact({ client, table: contacts.table }, id, answer, now);
    now = later(24 * 60 * 60);
    idIn(await contacts.post(minimal, key));
    const { take, sent } = await startFanOut();
    await take(await recordOf(contacts.table, id, now, 'MODIFY'));
    expect(sent).toMatchObject(targets.map(() => ({ id })));
  });
});

describe('skips', () => {
  it('items restored or copied more than an hour after they entered the list', async () => {
    const { contacts, posted, take, sent } = await startFanOut();
    const { id } = await posted();
    expect(await take(await recordOf(contacts.table, id, later(60 * 60 + 1)))).toStrictEqual(done);
    expect(sent).toStrictEqual([]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'notification skipped', contactId: id, reason: 'not new' }),
    );
    await take(await recordOf(contacts.table, id, later(60 * 60)));
    expect(sent).toHaveLength(2);
  });

  const image = { id: { S: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11' }, createdAt: { S: noon.toISOString() } };
  const inbox = { listPartition: { S: 'inbox' } };
  it.each([
    ['an image', undefined],
    ['a partition', image],
    ['a time as text', { ...image, ...inbox, createdAt: { N: '1' } }],
    ['a valid time', { ...image, ...inbox, createdAt: { S: 'yesterday' } }],
    ['a valid time of release', { ...image, ...inbox, releasedAt: { S: 'yesterday' } }],
    ['readable extra fields', { ...image, ...inbox, extra: { S: '{"topic":1}' } }],
    ['a valid id', { ...image, ...inbox, id: { S: '$(rm -rf ~)' } }],
  ])('and counts a record without %s, and processes later ones', async (_, NewImage) => {
    const { posted, take, sent } = await startFanOut();
    const { id, record } = await posted();
    const bad = { eventName: 'INSERT', dynamodb: { SequenceNumber: '0', NewImage } };
    expect(await take(bad, record)).toStrictEqual(done);
    expect(sent).toMatchObject(targets.map(() => ({ id })));
    expect(logLines()).toContainEqual(metric('UnreadableItems'));
    expect(logLines()).toContainEqual(expect.objectContaining({ level: 'error', message: 'unreadable stream record' }));
  });
});

describe('a failure', () => {
  it('is reported with its record, and stops later records', async () => {
    let failing = '';
    const { posted, take, sent } = await startFanOut(({ id }) =>
      id === failing ? Object.assign(new Error('ada@example.com'), { name: 'ServiceUnavailable' }) : undefined,
    );
    const first = await posted();
    const second = await posted();
    const third = await posted();
    failing = second.id;
    expect(await take(first.record, second.record, third.record)).toStrictEqual({
      batchItemFailures: [{ itemIdentifier: second.record.dynamodb.SequenceNumber }],
    });
    expect(new Set(sent.map(({ id }) => id))).toStrictEqual(new Set([first.id]));
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'fan-out failed', error: 'ServiceUnavailable' }),
    );
    expect(logText()).not.toContain('ada@');
  });

  it('of a deleted queue is logged and counted for its target, and stops no other target', async () => {
    const [gone = '', other] = targets;
    const { posted, take, sent } = await startFanOut(({ target }) =>
      target === gone ? Object.assign(new Error('x'), { name: 'QueueDoesNotExist' }) : undefined,
    );
    const { id, record } = await posted();
    expect(await take(record)).toStrictEqual(done);
    expect(sent).toMatchObject([{ target: other }]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'queue missing', target: gone, contactId: id }),
    );
    expect(logLines()).toContainEqual(expect.objectContaining({ Target: gone, NotificationsFailed: 1 }));
  });

  it('to read the event is an error without its content, because Lambda logs errors', async () => {
    const { invoke } = await startFanOut();
    const error = await invoke({ Records: [{ email: 'ada@example.com' }] }).catch((reason) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: Infinity })).not.toContain('ada@');
  });
});
