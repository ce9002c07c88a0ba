import { inspect } from 'node:util';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { listKeys } from '../../../functions/contacts/place.ts';
import { Failure } from '../../../functions/notify/failure.ts';
import type { Notification } from '../../../functions/notify/notification.ts';
import { minimal } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';
import {
  again,
  done,
  type NotifiedOptions,
  overAtOnce,
  queueEvent,
  recordOf,
  startNotified,
} from '../../support/notifications.ts';
import { client, putAll } from '../../support/tables.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

interface ToldOptions extends Partial<NotifiedOptions> {
  /** What the target makes of it. */
  readonly fails?: Error;
}

/** The function, and what its target was told. */
const startTold = async ({ fails, ...options }: ToldOptions = {}) => {
  const told: Notification[] = [];
  const notified = await startNotified({
    tell: () => async (notification) => {
      if (fails) throw fails;
      told.push(notification);
    },
    ...options,
  });
  return { ...notified, told };
};

const counted = (metric: string) => ({
  _aws: {
    Timestamp: expect.any(Number),
    CloudWatchMetrics: [
      {
        Namespace: 'ContactService',
        Dimensions: [['Environment', 'Target']],
        Metrics: [{ Name: metric, Unit: 'Count' }],
      },
    ],
  },
  Environment: 'test',
  Target: 'Webhook01234567',
  [metric]: 1,
});

describe('what is told', () => {
  it('is a contact request as endpoint 3 answers it', async () => {
    const { contacts, posted, deliver, told } = await startTold();
    const { id, record } = await posted({ ...minimal, phone: '555 0100', budget: ['1', '2'] });
    const answer = await contacts.get({ pathParameters: { id } });
    expect(await deliver(record)).toStrictEqual(done);
    expect(told).toStrictEqual([
      {
        id: `${id}-1772366400000`,
        type: 'contact.created',
        timestamp: '2026-03-01T12:00:00.000Z',
        contact: answer.body,
      },
    ]);
    expect(logLines().slice(-1)).toStrictEqual([
      {
        ...{ timestamp: expect.any(String), level: 'info', message: 'notification told' },
        ...{ target: 'Webhook01234567', contactId: id, tries: 1 },
      },
    ]);
  });

  it('has the same id when its record comes twice, and another for another contact request', async () => {
    const { posted, deliver, told } = await startTold();
    const [one, other] = [await posted(), await posted()];
    for (const { record } of [one, one, other]) await deliver(record);
    expect(told.map(({ id }) => id)).toStrictEqual([one, one, other].map(({ id }) => `${id}-${noon.getTime()}`));
    for (const { id } of told) expect(id).not.toContain('.');
  });

  it('is a release from spam by itself, at its own time, whenever the contact request was made', async () => {
    let now = noon;
    const { contacts, posted, deliver, told } = await startTold({ now: () => now });
    const { id, record: ofSpam } = await posted({ ...minimal, website: 'spam' });
    now = later(30 * 24 * 60 * 60);
    const releasedAt = now.toISOString();
    const { listPartition, listSort } = listKeys({ id, createdAt: noon.toISOString(), releasedAt }, false, 1);
    await client.send(
      new UpdateCommand({
        TableName: contacts.table,
        Key: { id },
        UpdateExpression: 'SET releasedAt = :time, listPartition = :partition, listSort = :sort',
        ExpressionAttributeValues: { ':time': releasedAt, ':partition': listPartition, ':sort': listSort },
      }),
    );
    const ofRelease = await recordOf(contacts.table, id, now, 'MODIFY');
    for (const record of [ofSpam, ofRelease]) expect(await deliver(record)).toStrictEqual(done);
    expect(told).toMatchObject([
      { id: `${id}-${now.getTime()}`, type: 'contact.released', timestamp: releasedAt, contact: { id, releasedAt } },
    ]);
  });

  it('is what took the place of an expired one under its key, once', async () => {
    let now = noon;
    const { contacts, posted, deliver, told } = await startTold({ now: () => now });
    const { id, record } = await posted();
    await client.send(new DeleteCommand({ TableName: contacts.table, Key: { id } }));
    now = later(60);
    const createdAt = now.toISOString();
    await putAll(contacts.table, [{ id, createdAt, message: 'another', ...listKeys({ id, createdAt }, false, 1) }]);
    const replaced = await recordOf(contacts.table, id, now, 'MODIFY');
    for (const each of [record, replaced]) expect(await deliver(each)).toStrictEqual(done);
    expect(told).toMatchObject([{ type: 'contact.created', timestamp: createdAt, contact: { message: 'another' } }]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ message: 'nothing to tell', contactId: id, nothing: 'moved' }),
    );
  });
});

it('tells of a record that does not say when it was written', async () => {
  const { posted, deliver, told } = await startTold();
  const { record } = await posted();
  const { dynamodb, ...rest } = JSON.parse(record);
  const { ApproximateCreationDateTime: _, ...others } = dynamodb;
  expect(await deliver(JSON.stringify({ ...rest, dynamodb: others }))).toStrictEqual(done);
  expect(told).toHaveLength(1);
});

describe('nobody is told of', () => {
  const expectNothing = async (
    { deliver, told, givenUp }: Awaited<ReturnType<typeof startTold>>,
    record: string,
    nothing: string,
  ) => {
    expect(await deliver(record)).toStrictEqual(done);
    expect([...told, ...givenUp]).toStrictEqual([]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'info', message: 'nothing to tell', target: 'Webhook01234567', nothing }),
    );
    expect(logText()).not.toContain('Notifications');
  };

  it('one that was deleted before', async () => {
    const notified = await startTold();
    const { id, record } = await notified.posted();
    await notified.contacts.delete({ pathParameters: { id } });
    await expectNothing(notified, record, 'gone');
  });

  it('one that expired before, though it was not yet removed', async () => {
    let now = noon;
    const notified = await startTold({ now: () => now });
    const { id, record } = await notified.posted();
    await client.send(
      new UpdateCommand({
        TableName: notified.contacts.table,
        Key: { id },
        UpdateExpression: 'SET expiresAt = :time',
        ExpressionAttributeValues: { ':time': noon.getTime() / 1000 + 60 },
      }),
    );
    now = later(60);
    await expectNothing(notified, record, 'gone');
  });

  it('spam', async () => {
    const notified = await startTold();
    const { record } = await notified.posted({ ...minimal, website: 'spam' });
    await expectNothing(notified, record, 'spam');
  });

  it('an item that was removed, as by its time to live', async () => {
    const removed = { eventName: 'REMOVE', dynamodb: { Keys: { id: { S: 'x' } } }, userIdentity: { type: 'Service' } };
    await expectNothing(await startTold(), JSON.stringify(removed), 'deleted');
  });

  it.each(['INSERT', 'MODIFY'])(
    'an item that was written more than an hour after its time, by %s',
    async (eventName) => {
      const notified = await startTold();
      const { id } = await notified.posted();
      const { deliver, contacts, told } = notified;
      await expectNothing(notified, await recordOf(contacts.table, id, later(60 * 60 + 1), eventName), 'not new');
      await deliver(await recordOf(contacts.table, id, later(60 * 60), eventName));
      expect(told).toHaveLength(1);
    },
  );
});

describe('what cannot be read', () => {
  const image = { id: { S: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11' }, createdAt: { S: noon.toISOString() } };
  const inbox = { listPartition: { S: 'inbox#0' } };
  const record = (newImage: unknown, rest = {}) =>
    JSON.stringify({
      eventName: 'INSERT',
      dynamodb: { ApproximateCreationDateTime: noon.getTime() / 1000, NewImage: newImage },
      ...rest,
    });

  it.each([
    ['no JSON', '{'],
    ['no text', ''],
    ['no record', '[]'],
    ['an unknown event', record({ ...image, ...inbox }, { eventName: 'TRUNCATE' })],
    ['no image', JSON.stringify({ eventName: 'INSERT', dynamodb: {} })],
    ['no partition', record(image)],
    ['a number for a text', record({ ...image, ...inbox, createdAt: { N: '1' } })],
    ['no time', record({ ...image, ...inbox, createdAt: { S: 'yesterday' } })],
    ['no time of its release', record({ ...image, ...inbox, releasedAt: { S: 'yesterday' } })],
    ['no id', record({ ...image, ...inbox, id: { S: '$(rm -rf ~)' } })],
  ])('is given up at once: %s', async (_, body) => {
    const { deliver, givenUp, waits, told } = await startTold();
    expect(await deliver(body, { tries: 1 })).toStrictEqual(done);
    expect(givenUp).toStrictEqual([{ target: 'Webhook01234567', tries: 1, reason: 'unreadable record', body }]);
    expect([...waits, ...told]).toStrictEqual([]);
    expect(logLines()).toStrictEqual([
      counted('NotificationsFailed'),
      {
        ...{ timestamp: expect.any(String), level: 'error', message: 'notification given up' },
        ...{ target: 'Webhook01234567', tries: 1, reason: 'unreadable record' },
      },
    ]);
  });

  it('is given up, and named, when it is the item', async () => {
    const { contacts, posted, deliver, givenUp } = await startTold();
    const { id, record: body } = await posted();
    await putAll(contacts.table, [{ id, createdAt: noon.toISOString(), message: 7 }]);
    expect(await deliver(body)).toStrictEqual(done);
    expect(givenUp).toMatchObject([{ reason: 'unreadable item' }]);
    expect(logLines()).toContainEqual(expect.objectContaining({ message: 'notification given up', contactId: id }));
  });

  it('fails when the invocation itself is none of a queue, by an error that Lambda logs whole', async () => {
    const { deliver } = await startTold();
    const error = await deliver('ada@example.com', { tries: Number.NaN }).catch((reason) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: Infinity })).not.toContain('ada@');
  });
});

describe('a target that does not take it', () => {
  /** With all of the random part. */
  const wait = async (tries: number, options: { fails?: Error; random?: () => number; since?: Date } = {}) => {
    const { fails = new Failure('HTTP 500'), random = () => 1, since = noon } = options;
    const { posted, deliver, waits, givenUp } = await startTold({ fails, random });
    const { record } = await posted();
    const answer = await deliver(record, { tries, since });
    expect(answer).toStrictEqual(waits.length > 0 ? again : done);
    expect(waits.length + givenUp.length).toBe(1);
    return waits[0] ?? 'given up';
  };

  it('is tried again after gaps that grow up to three hours, half of each at random', async () => {
    const waits = [];
    for (const tries of [1, 2, 3, 9, 10, 11, 40]) waits.push(await wait(tries));
    expect(waits).toStrictEqual([30, 60, 120, 7_680, 10_800, 10_800, 10_800]);
    expect(await wait(1, { random: () => 0 })).toBe(15);
    expect(await wait(10, { random: () => 0.5 })).toBe(8_100);
  });

  it('is left alone for as long as it asks, at most for as long as a queue can wait', async () => {
    const asks = (retryAfter: number) => ({ fails: new Failure('HTTP 429', { retryAfter }) });
    expect(await wait(1, asks(10))).toBe(30);
    expect(await wait(1, asks(3_599.2))).toBe(3_600);
    expect(await wait(1, asks(20 * 60 * 60))).toBe(12 * 60 * 60 - 60);
  });

  it('is given up when the next try would come later than a day after the first', async () => {
    const day = 24 * 60 * 60;
    expect(await wait(20, { since: later(10_800 - day) })).toBe(10_800);
    expect(await wait(20, { since: later(10_799 - day) })).toBe('given up');
  });

  it('is given up at once when it wants no more', async () => {
    expect(await wait(1, { fails: new Failure('HTTP 410', { isFinal: true }) })).toBe('given up');
  });

  it('is told in the log and counted, by the name of the target, without a datum of anyone', async () => {
    const { posted, deliver } = await startTold({ fails: new Failure('HTTP 500') });
    const { id, record } = await posted();
    await deliver(record, { tries: 3 });
    expect(logLines().slice(-2)).toStrictEqual([
      counted('NotificationsFailed'),
      {
        ...{ timestamp: expect.any(String), level: 'warn', message: 'notification failed' },
        ...{ target: 'Webhook01234567', contactId: id, tries: 3, reason: 'HTTP 500', nextTryInSeconds: 120 },
      },
    ]);
    expect(logText()).not.toContain('ada@');
  });

  it('is tried again after a fault of the function, too, which is logged without its message', async () => {
    const { posted, deliver, waits } = await startTold({ fails: new TypeError('ada@example.com') });
    expect(await deliver((await posted()).record)).toStrictEqual(again);
    expect(waits).toHaveLength(1);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ message: 'notification failed', reason: 'TypeError', stack: expect.any(Array) }),
    );
    expect(logText()).not.toContain('ada@');
  });
});

describe('the store', () => {
  it('is asked again later when it is away', async () => {
    const away = Object.assign(new Error('ada@example.com'), { name: 'ThrottlingException' });
    const { posted, deliver, givenUp } = await startTold({ store: { get: () => Promise.reject(away) } });
    expect(await deliver((await posted()).record)).toStrictEqual(again);
    expect(givenUp).toStrictEqual([]);
    expect(logLines()).toContainEqual(expect.objectContaining({ reason: 'store ThrottlingException' }));
    expect(logText()).not.toContain('ada@');
  });

  it('is not waited for until the function itself is stopped', async () => {
    const store = { get: () => new Promise<never>(() => {}) };
    const { posted, deliver } = await startTold({ store, limit: overAtOnce });
    expect(await deliver((await posted()).record)).toStrictEqual(again);
    expect(logLines()).toContainEqual(expect.objectContaining({ reason: 'store TimeoutError' }));
  });
});

it('takes each message of several for itself', async () => {
  const { posted, invoke, told } = await startTold();
  const { id, record } = await posted();
  const [good, bad] = [queueEvent(record, { since: noon }), queueEvent('{', { since: noon })];
  expect(await invoke({ Records: [...bad.Records, ...good.Records] })).toStrictEqual(done);
  expect(told).toMatchObject([{ contact: { id } }]);
});

describe('a sample', () => {
  it('tells the target at once of a contact request that says that it is none', async () => {
    const { sample, told } = await startTold();
    expect(await sample()).toStrictEqual({ told: true, milliseconds: 0 });
    expect(told).toMatchObject([
      {
        id: expect.stringMatching(/-1772366400000$/),
        type: 'contact.created',
        contact: { message: expect.stringContaining('This is a test') },
      },
    ]);
    expect(logText()).not.toContain('Notifications');
  });

  it('says why the target was not told, and how long that took', async () => {
    let time = noon.getTime();
    const now = () => {
      time += 250;
      return new Date(time - 250);
    };
    const { sample, waits } = await startTold({ fails: new Failure('HTTP 500'), now });
    expect(await sample()).toStrictEqual({ told: false, reason: 'HTTP 500', milliseconds: 250 });
    expect(waits).toStrictEqual([]);
  });
});
