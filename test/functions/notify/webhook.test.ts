import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { notificationOf } from '../../../functions/notify/deliver.ts';
import { createPost } from '../../../functions/notify/post.ts';
import { deliverToWebhook } from '../../../functions/notify/webhook.ts';
import { post as postOverNetwork, type TimeoutAfter } from '../../../functions/shared/calls.ts';
import { failureOf, noTimeout } from '../../support/notifications.ts';
import { startReceiver } from '../../support/receiver.ts';
import { listen, stop } from '../../support/server.ts';

const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3tMaq1mYvB7e';

const noon = new Date('2026-03-01T12:00:00.000Z');

const contact = {
  id: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11',
  createdAt: noon.toISOString(),
  email: 'ada@example.com',
  message: 'Hello',
  files: [{ name: 'cv.pdf', type: 'application/pdf', size: 48_213 }],
};

interface Options {
  readonly timeoutAfter?: TimeoutAfter;
  readonly send?: typeof postOverNetwork;
  readonly now?: Date;
}

/** Delivers a notification. @returns why that failed */
const deliverTo = (url: string, { timeoutAfter = noTimeout, send, now = noon }: Options = {}) =>
  failureOf(
    deliverToWebhook(
      url,
      async () => [secret],
      createPost(timeoutAfter, send),
      () => now,
    )(notificationOf(contact)),
  );

/** Delivers to a receiver that responds so. */
const deliverWith = async (respond: (response: ServerResponse) => void, options?: Options) => {
  await using receiver = await startReceiver(respond);
  const failure = await deliverTo(receiver.url, options);
  return { failure, received: receiver.received };
};

afterEach(() => {
  vi.restoreAllMocks();
});

it('posts JSON by Standard Webhooks', async () => {
  const { failure, received } = await deliverWith((response) => response.writeHead(200).end('ok'));
  expect(failure).toBeUndefined();
  expect(received).toMatchObject([
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'contact-request-and-campaign-service',
        'webhook-id': `${contact.id}-1772366400000`,
        'webhook-timestamp': '1772366400',
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
        connection: 'close',
      },
    },
  ]);
  expect(JSON.parse(received[0]?.body ?? '')).toStrictEqual({
    type: 'contact.created',
    timestamp: '2026-03-01T12:00:00.000Z',
    data: contact,
  });
});

it('sends the same id and body on a retry, with a new timestamp and signature', async () => {
  await using receiver = await startReceiver((response) => response.writeHead(500).end());
  await deliverTo(receiver.url);
  await deliverTo(receiver.url, { now: new Date('2026-03-01T13:30:00.000Z') });
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.headers['webhook-timestamp']).toBe('1772371800');
  expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
});

describe('a web app of Google Apps Script', () => {
  const appsScript = 'https://script.google.com/macros/s/AKfycb/exec?key=a-secret-key';

  /** Delivers to the web app, which responds so. */
  const deliverToAppsScript = async (respond: (response: ServerResponse) => void) => {
    await using receiver = await startReceiver(respond);
    const send: typeof postOverNetwork = ({ url, ...message }, signal) => {
      expect(url).toBe(appsScript);
      return postOverNetwork({ url: receiver.url, ...message }, signal);
    };
    return await deliverTo(appsScript, { send });
  };

  it('has run when it redirects to its text', async () => {
    const failure = await deliverToAppsScript((response) =>
      response
        .writeHead(302, { Location: 'https://script.googleusercontent.com/macros/echo?user_content_key=x' })
        .end(),
    );
    expect(failure).toBeUndefined();
  });

  it.each<[number, string | undefined, string]>([
    [200, undefined, 'HTTP 200: the Apps Script failed, or returned no text by ContentService'],
    [302, 'https://accounts.google.com/ServiceLogin', expect.stringMatching(/^HTTP 302: .*anyone must have access/)],
    [302, 'https://script.googleusercontent.com.example.com/', expect.stringMatching(/^HTTP 302: /)],
    [302, '/macros/echo', expect.stringMatching(/^HTTP 302: /)],
    [302, undefined, expect.stringMatching(/^HTTP 302: /)],
    [301, 'https://script.googleusercontent.com/macros/echo', 'HTTP 301'],
    [204, undefined, 'HTTP 204'],
    [404, undefined, 'HTTP 404'],
    [429, undefined, 'HTTP 429'],
  ])('gets a retry after %i to %s', async (status, location, why) => {
    const failure = await deliverToAppsScript((response) =>
      response.writeHead(status, location === undefined ? {} : { Location: location }).end(),
    );
    expect(failure).toStrictEqual(why);
  });
});

describe('a receiver', () => {
  it.each([200, 204, 299])('accepts with %i', async (status) => {
    const { failure } = await deliverWith((response) => response.writeHead(status).end());
    expect(failure).toBeUndefined();
  });

  it.each([400, 410, 429, 500])('gets a retry after %i', async (status) => {
    const { failure } = await deliverWith((response) => response.writeHead(status).end('no'));
    expect(failure).toBe(`HTTP ${status}`);
  });

  it.each([300, 302, 308, 399])('gets a retry after %i, and the redirect is not followed', async (status) => {
    await using elsewhere = await startReceiver();
    const { failure } = await deliverWith((response) => response.writeHead(status, { Location: elsewhere.url }).end());
    expect(failure).toBe(`HTTP ${status}: redirects are not followed`);
    expect(elsewhere.received).toStrictEqual([]);
  });

  it('gets a retry if it does not respond in time', async () => {
    const over = new AbortController();
    const { failure } = await deliverWith(() => over.abort(), { timeoutAfter: () => over.signal });
    expect(failure).toBe('no response within 10 seconds');
  });

  it('is reached if it is far away, and another of its addresses is unreachable', async () => {
    await using receiver = await startReceiver();
    vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
      const respond = args.at(-1);
      process.nextTick(() => {
        Reflect.apply(Object(respond), undefined, [
          null,
          [
            { address: '127.0.0.1', family: 4 },
            { address: '127.0.0.2', family: 4 },
          ],
        ]);
        // The first connection has begun. Its handshake seems to take this long.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      });
    });
    const failure = await deliverTo(receiver.url.replace('127.0.0.1', 'receiver.example'));
    expect(failure).toBeUndefined();
    expect(receiver.received).toHaveLength(1);
  });

  it('accepts with its status, even if its body never ends', async () => {
    const { promise: hungUp, resolve } = Promise.withResolvers<void>();
    await using receiver = await startReceiver((response) => {
      response.once('close', resolve).writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    expect(await deliverTo(receiver.url)).toBeUndefined();
    await hungUp;
  });

  it.each([
    ['hangs up', '', 'ECONNRESET'],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', expect.stringMatching(/^HPE_/)],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'ECONNRESET',
    ],
  ])('gets a retry if it %s', async (_, said, why) => {
    const server = createTcpServer((socket: Socket) =>
      socket.on('error', () => {}).once('data', () => socket.end(said)),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = Object(server.address());
    const failure = await deliverTo(`http://127.0.0.1:${port}/`);
    server.close();
    expect(failure).toStrictEqual(why);
  });

  it('never has its URL logged', async () => {
    const server = createServer();
    const url = await listen(server);
    await stop(server);
    expect(await deliverTo(`${url}/a-secret-path?token=a-secret-token`)).toBe('ECONNREFUSED');
  });
});
