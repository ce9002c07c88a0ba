import { join } from 'node:path';
import * as v from 'valibot';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { localEnvironment } from '../../../lib/local/environment.ts';
import { systemClock } from '../../../lib/local/host/clock.ts';
import { startHost } from '../../../lib/local/host/host.ts';
import type { Assembly } from '../../../lib/local/host/template/template.ts';
import { seed } from '../../../lib/local/seed.ts';
import { synthesizeLocal } from '../../../lib/local/synthesize.ts';
import { send } from '../host/http.ts';
import { temporaryFolder } from '../host/test-host.ts';
import { testFolder } from '../host/test-tables.ts';
import { mailsIn } from './mails.ts';
import { createReceiver, type Receiver } from './receiver.ts';

let assembly: Assembly;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await createReceiver();
  const { folder, remove } = temporaryFolder();
  const settings = { SITE_ORIGINS: [], NOTIFY_EMAIL: ['staff@example.com'], NOTIFY_WEBHOOK: receiver.url };
  assembly = await synthesizeLocal(folder, localEnvironment({}, settings));
  return async () => {
    await receiver.goAway();
    remove();
  };
});

const minute = 60_000;
const hour = 60 * minute;

/** The timeouts of `fan-out` and `notify`: each is a timer while its function works. */
const timeouts = [30_000, 15_000];

/** The machine's clock, that can be put forward: what is due by then is called at once. It is not while a function works. */
const createClock = () => {
  let ahead = 0;
  const waiting = new Set<{ readonly milliseconds: number; readonly due: number; readonly call: () => void }>();
  const now = () => systemClock.now() + ahead;
  return {
    now,
    after: (milliseconds: number, callback: () => void) => {
      const call = () => {
        cancel();
        callback();
      };
      const timer = { milliseconds, due: now() + milliseconds, call };
      const cancelTimer = systemClock.after(milliseconds, call);
      const cancel = () => {
        cancelTimer();
        waiting.delete(timer);
      };
      waiting.add(timer);
      return cancel;
    },
    putForward: (by: number) => {
      if ([...waiting].some(({ milliseconds }) => timeouts.includes(milliseconds))) return;
      ahead += by;
      for (const { due, call } of [...waiting]) if (due <= now()) call();
    },
  };
};

const start = async (dataDir: string) => {
  const clock = createClock();
  const lines: string[] = [];
  const log = (_: string, line: string) => void lines.push(line);
  const host = await startHost({ dataDir, synthesize: async () => assembly, port: 0, clock, log });
  onTestFinished(host.close);
  const staffToken = await seed(dataDir, host, new Date());

  const post = async (message: string) => {
    const { status, text } = await send(`${host.baseUrl}/api/v1/contact`, {
      method: 'POST',
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ email: 'ada@example.com', message }),
    });
    expect(status).toBe(201);
    return v.parse(v.object({ id: v.string(), createdAt: v.string() }), JSON.parse(text));
  };
  return {
    ...host,
    post,
    remove: async (id: string) => {
      const options = { method: 'DELETE', headers: [['Authentication', staffToken]] as const };
      expect((await send(`${host.baseUrl}/api/v1/contact/${id}`, options)).status).toBe(204);
    },
    /** Waits until a line of the log holds a text. */
    logged: async (text: string) => {
      await expect.poll(() => lines.some((line) => line.includes(text))).toBe(true);
    },
    /** Lets minutes pass, one after the other, until something has happened. */
    passTimeUntil: async (hasHappened: () => boolean) => {
      const passMinute = () => {
        clock.putForward(minute);
        return hasHappened();
      };
      await expect.poll(passMinute, { interval: 10 }).toBe(true);
    },
    now: clock.now,
    lines,
  };
};

/** The mails of a data directory that hold a text. */
const mailsWith = (dataDir: string, text: string) => mailsIn(dataDir).filter((mail) => mail.includes(text));

const mailed = async (dataDir: string, text: string) => {
  await expect.poll(() => mailsWith(dataDir, text).length).toBe(1);
};

/** The id by which a receiver recognises a notification. */
const webhookIdOf = ({ id, createdAt }: { readonly id: string; readonly createdAt: string }) =>
  `${id}-${Date.parse(createdAt)}`;

const idsOf = (message: string) =>
  receiver.arrivals.filter((arrival) => arrival.message === message).map(({ headers }) => headers['webhook-id']);

const dataDirOf = () => join(testFolder(), 'data');

test('a receiver that is away for an hour gets the notification once it is back, with the same id, and no other target waits', async () => {
  const dataDir = dataDirOf();
  const { post, logged, passTimeUntil, now, lines } = await start(dataDir);
  await receiver.goAway();
  const first = await post('while it is away');
  await mailed(dataDir, 'while it is away');
  await logged('"reason":"ECONNREFUSED"');
  const since = now();
  await passTimeUntil(() => now() - since > hour);
  expect(lines.filter((line) => line.includes('notification failed')).length).toBeGreaterThan(3);
  await post('posted meanwhile');
  await mailed(dataDir, 'posted meanwhile');
  expect(receiver.arrivals).toEqual([]);

  receiver.answerWith(503);
  await receiver.comeBack();
  await passTimeUntil(() => idsOf('while it is away').length > 0);
  await logged('"reason":"HTTP 503"');
  receiver.answerWith(200);
  await passTimeUntil(() => lines.filter((line) => line.includes('notification delivered')).length === 4);
  const ids = idsOf('while it is away');
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids)).toEqual(new Set([webhookIdOf(first)]));
  expect(mailsIn(dataDir)).toHaveLength(2);
});

test('a contact request that is deleted in time triggers no notification', async () => {
  const { post, remove, logged, passTimeUntil, lines } = await start(dataDirOf());
  await receiver.goAway();
  const { id } = await post('deleted in time');
  await logged('notification failed');
  await remove(id);
  await receiver.comeBack();
  await passTimeUntil(() => lines.some((line) => line.includes('notification skipped')));
  await post('after that');
  await receiver.arrived('after that');
  expect(idsOf('deleted in time')).toEqual([]);
});

test('waiting notifications are delivered after a restart, to the targets that did not get them yet', async () => {
  const dataDir = dataDirOf();
  const before = await start(dataDir);
  await receiver.goAway();
  const waiting = await before.post('before the restart');
  await mailed(dataDir, 'before the restart');
  await before.logged('notification failed');
  await before.close();
  await receiver.comeBack();
  const after = await start(dataDir);
  await after.passTimeUntil(() => idsOf('before the restart').length > 0);
  expect(idsOf('before the restart')).toEqual([webhookIdOf(waiting)]);
  expect(mailsWith(dataDir, 'before the restart')).toHaveLength(1);
});
