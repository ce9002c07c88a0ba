import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { changeContact } from '../../../functions/contacts/change.ts';
import { listKeys } from '../../../functions/contacts/contacts-table.ts';
import { releaseContact } from '../../../functions/contacts/manage-contacts.ts';
import type { Notification } from '../../../functions/notify/deliver.ts';
import { LoggableError } from '../../../functions/shared/calls.ts';
import { minimal } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';
import {
  again,
  done,
  type NotifyServiceOptions,
  overAtOnce,
  startNotify,
  target,
} from '../../support/notifications.ts';
import { client, putAll } from '../../support/tables.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

interface Options extends Partial<NotifyServiceOptions> {
  /** Fails each delivery. */
  readonly fails?: Error;
}

/** The function and the notifications that its target receives. */
const start = async ({ fails, ...options }: Options = {}) => {
  const delivered: Notification[] = [];
  const service = await startNotify({
    deliver: async (notification) => {
      if (fails) throw fails;
      delivered.push(notification);
    },
    ...options,
  });
  return { ...service, delivered };
};

describe('delivers', () => {
  it('a contact request as endpoint 3 returns it', async () => {
    const { contacts, post, deliver, delivered } = await start();
    const message = await post({ ...minimal, phone: '555 0100', budget: ['1', '2'] });
    const response = await contacts.get({ pathParameters: { id: message.id } });
    expect(await deliver(message)).toStrictEqual(done);
    expect(delivered).toStrictEqual([
      {
        id: `${message.id}-1772366400000`,
        type: 'contact.created',
        timestamp: '2026-03-01T12:00:00.000Z',
        contact: response.body,
      },
    ]);
    expect(logLines().slice(-1)).toStrictEqual([
      {
        timestamp: expect.any(String),
        level: 'info',
        message: 'notification delivered',
        target,
        contactId: message.id,
        tries: 1,
      },
    ]);
  });

  it('nothing of what staff say of it', async () => {
    const { contacts, post, deliver, delivered } = await start();
    const message = await post();
    const before = (await contacts.get({ pathParameters: { id: message.id } })).body;
    await changeContact({ client, table: contacts.table }, message.id, { answeredBy: 'Ada' }, later(60));
    await deliver(message);
    expect(delivered).toMatchObject([{ contact: before }]);
    expect(JSON.stringify(delivered)).not.toMatch(/answered|announced/);
  });

  it('a release from spam with the time of the release', async () => {
    const { contacts, post, deliver, delivered } = await start();
    const { id } = await post({ ...minimal, _gotcha: 'spam' });
    const releasedAt = later(3_600).toISOString();
    await releaseContact({ client, table: contacts.table }, id, later(3_600));
    await deliver({ target, id, listedAt: releasedAt });
    expect(delivered).toMatchObject([
      {
        id: `${id}-${Date.parse(releasedAt)}`,
        type: 'contact.released',
        timestamp: releasedAt,
        contact: { releasedAt },
      },
    ]);
  });
});

type Service = Awaited<ReturnType<typeof start>>;

const put =
  (createdAt: string, more: object = {}) =>
  ({ contacts }: Service, id: string) =>
    putAll(contacts.table, [{ id, createdAt, message: 'Hello', ...listKeys({ id, createdAt }, false), ...more }]);

it.each<[string, string, (service: Service, id: string) => Promise<unknown>]>([
  ['that staff deleted', 'gone', ({ contacts }, id) => contacts.delete({ pathParameters: { id } })],
  ['that has expired', 'gone', put(noon.toISOString(), { expiresAt: noon.getTime() / 1000 })],
  ['that another one replaced under its key', 'changed', put(later(60).toISOString())],
  ['that is marked as spam', 'changed', put(noon.toISOString(), { spamReason: 'trap' })],
  [
    'that staff marked as spam',
    'changed',
    ({ contacts }, id) => changeContact({ client, table: contacts.table }, id, { spam: true }, later(60)),
  ],
])('skips a contact request %s', async (_, reason, change) => {
  const service = await start();
  const message = await service.post();
  await change(service, message.id);
  expect(await service.deliver(message)).toStrictEqual(done);
  expect(service.delivered).toStrictEqual([]);
  expect(logLines()).toContainEqual(
    expect.objectContaining({
      level: 'info',
      message: 'notification skipped',
      target,
      contactId: message.id,
      reason,
    }),
  );
  expect(logText()).not.toContain('NotificationsFailed');
});

describe('a target of spam', () => {
  const startForSpam = () => start({ spamTargets: [target] });
  const spam = { ...minimal, _gotcha: 'spam' };

  it('gets spam with its reason', async () => {
    const { post, deliver, delivered } = await startForSpam();
    const message = await post(spam);
    expect(await deliver(message)).toStrictEqual(done);
    expect(delivered).toMatchObject([{ contact: { id: message.id, spamReason: 'trap' } }]);
  });

  it.each<[string, (service: Service, id: string) => Promise<unknown>]>([
    ['released', ({ contacts }, id) => releaseContact({ client, table: contacts.table }, id, later(60))],
    ['replaced by one that is not spam', put(noon.toISOString())],
  ])('does not get what was %s meanwhile', async (_, change) => {
    const service = await startForSpam();
    const message = await service.post(spam);
    await change(service, message.id);
    expect(await service.deliver(message)).toStrictEqual(done);
    expect(service.delivered).toStrictEqual([]);
  });

  it('does not get what was released, by the message about the release', async () => {
    const { contacts, post, deliver, delivered } = await startForSpam();
    const { id } = await post(spam);
    await releaseContact({ client, table: contacts.table }, id, later(60));
    expect(await deliver({ target, id, listedAt: later(60).toISOString() })).toStrictEqual(done);
    expect(delivered).toStrictEqual([]);
  });

  it('gets a sample that looks like spam', async () => {
    const { invoke, delivered } = await startForSpam();
    expect(await invoke({ sample: target })).toMatchObject({ delivered: true });
    expect(delivered).toMatchObject([{ contact: { spamReason: 'trap' } }]);
  });
});

describe('fails a message, so that SQS retries it,', () => {
  const reasonOf = () => Object(logLines().findLast((line) => Object(line).message === 'notification failed')).reason;

  it('if the target refuses it, and counts that without personal data', async () => {
    const { post, deliver } = await start({ fails: new LoggableError('HTTP 500') });
    const message = await post();
    expect(await deliver(message, { tries: 3 })).toStrictEqual(again);
    expect(logLines().slice(-2)).toStrictEqual([
      expect.objectContaining({ Environment: 'test', Target: target, NotificationsFailed: 1 }),
      {
        timestamp: expect.any(String),
        level: 'warn',
        message: 'notification failed',
        target,
        contactId: message.id,
        tries: 3,
        reason: 'HTTP 500',
      },
    ]);
    expect(logText()).not.toContain('ada@');
  });

  it('with the place in the code, if the function itself fails', async () => {
    const { post, deliver } = await start({ fails: new TypeError() });
    await deliver(await post());
    expect(logLines()).toContainEqual(expect.objectContaining({ reason: 'TypeError', stack: expect.any(Array) }));
  });

  it('if it was sent more than a day ago, without calling the target', async () => {
    const { post, deliver, delivered } = await start();
    const message = await post();
    const day = 24 * 60 * 60;
    expect(await deliver(message, { sentAt: later(-day - 1) })).toStrictEqual(again);
    expect([reasonOf(), delivered]).toStrictEqual(['tried for a day', []]);
    expect(await deliver(message, { sentAt: later(-day) })).toStrictEqual(done);
  });

  it('if its target is unknown', async () => {
    const { post, deliver, delivered } = await start();
    expect(await deliver({ ...(await post()), target: 'Email00000000' })).toStrictEqual(again);
    expect([reasonOf(), delivered]).toStrictEqual(['unknown target', []]);
  });

  const storeFails = (error: unknown): Options => ({ store: { get: () => Promise.reject(error) } });
  const throttled = Object.assign(new Error('ada@example.com'), { name: 'ThrottlingException' });
  const silent = { get: () => new Promise<never>(() => {}) };
  it.each<[string, Options, string]>([
    ['the function itself fails', { fails: new TypeError('ada@example.com') }, 'TypeError'],
    ['the store is unavailable', storeFails(throttled), 'store ThrottlingException'],
    ['the store does not respond in time', { store: silent, timeoutAfter: overAtOnce }, 'store TimeoutError'],
    [
      'an error has data as name',
      storeFails(Object.assign(new Error(), { name: 'To ada@example.com' })),
      'store Error',
    ],
    [
      'an error has data as code',
      storeFails(Object.assign(new Error(), { code: 'To ada@example.com' })),
      'store Error',
    ],
    ['an error is a text', storeFails('ada@example.com'), 'store Error'],
  ])('if %s, and logs no personal data', async (_, options, reason) => {
    const { post, deliver } = await start(options);
    expect(await deliver(await post())).toStrictEqual(again);
    expect(reasonOf()).toBe(reason);
    expect(logText()).not.toContain('ada@');
  });

  it('if the item is unreadable', async () => {
    const { contacts, post, deliver } = await start();
    const message = await post();
    await putAll(contacts.table, [{ id: message.id, createdAt: message.listedAt, message: 7 }]);
    expect(await deliver(message)).toStrictEqual(again);
    expect(reasonOf()).toBe('unreadable item');
  });

  it.each(['{', '{"id":"x"}'])('if it is unreadable: %s', async (body) => {
    const { deliver } = await start();
    expect(await deliver(body)).toStrictEqual(again);
    expect(logLines()).toContainEqual(expect.objectContaining({ level: 'error', message: 'unreadable message' }));
  });
});

it('throws an error without the content of an unreadable event, because Lambda logs errors', async () => {
  const { invoke } = await start();
  const error = await invoke({ Records: [{ body: 'ada@example.com' }] }).catch((reason) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(inspect(error, { depth: Infinity })).not.toContain('ada@');
});

describe('a sample', () => {
  it('is delivered at once, and says that it is a test', async () => {
    const { invoke, delivered } = await start();
    expect(await invoke({ sample: target })).toStrictEqual({ delivered: true, milliseconds: 0 });
    expect(delivered).toMatchObject([
      { type: 'contact.created', contact: { message: expect.stringContaining('This is a test') } },
    ]);
  });

  it('reports the reason and the duration of a failure, and counts nothing', async () => {
    let time = noon.getTime();
    const now = () => {
      time += 250;
      return new Date(time - 250);
    };
    const { invoke } = await start({ fails: new LoggableError('HTTP 500'), now });
    expect(await invoke({ sample: target })).toStrictEqual({ delivered: false, reason: 'HTTP 500', milliseconds: 250 });
    expect(await invoke({ sample: 'x' })).toMatchObject({ delivered: false, reason: 'unknown target' });
    expect(logText()).not.toContain('NotificationsFailed');
  });
});
