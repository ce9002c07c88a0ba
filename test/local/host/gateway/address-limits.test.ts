import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createAddressLimits } from '../../../../lib/local/host/gateway/address-limits.ts';
import { clientAddressOf, networkOfClient, networksOf } from '../../../../lib/local/host/gateway/client-address.ts';
import { createManualClock } from '../manual-clock.ts';

const messageOf = (peer: string, forwarded: string | undefined) => {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const message = new IncomingMessage(socket);
  if (forwarded !== undefined) message.headers['x-forwarded-for'] = forwarded;
  return message;
};

test.each([
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['::ffff:127.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['::1', '2001:db8::1', '2001:db8::1'],
  ['10.1.2.3', '192.0.2.1', '192.0.2.1'],
  // The client wrote the first entry.
  ['127.0.0.1', '203.0.113.9, 192.0.2.1', '192.0.2.1'],
  ['127.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
  ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['127.0.0.1', '192.0.2.1, unknown', '127.0.0.1'],
  ['127.0.0.1', '', '127.0.0.1'],
  // Not a proxy of ours.
  ['203.0.113.9', '192.0.2.1', '203.0.113.9'],
  ['::ffff:203.0.113.9', '192.0.2.1', '203.0.113.9'],
])('a request from %s with X-Forwarded-For: %s comes from %s', (peer, forwarded, client) => {
  const trusted = networksOf(['127.0.0.0/8', '::1', '10.0.0.0/8']);
  expect(clientAddressOf(messageOf(peer, forwarded), trusted)).toBe(client);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0:0:ffff::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOfClient(address)).toBe(network);
});

const limitsOf = (requests = 100) => {
  const clock = createManualClock();
  const covers = (method: string) => method === 'POST';
  return { clock, passes: createAddressLimits([{ requests, windowSeconds: 300, covers }], clock) };
};

/** How many of these requests are refused. */
const refused = (passes: ReturnType<typeof createAddressLimits>, address: string, count: number, method = 'POST') =>
  Array.from({ length: count }, () => passes(address, method, '/')).filter(Boolean).length;

test('refuses what an address sends above the limit, and nobody else', () => {
  const { passes } = limitsOf();
  expect(refused(passes, '192.0.2.1', 130)).toBe(30);
  expect(refused(passes, '192.0.2.2', 100)).toBe(0);
  expect(refused(passes, '192.0.2.3', 500, 'GET')).toBe(0);
});

test('forgets in five minutes, and not all at once', () => {
  const { passes, clock } = limitsOf();
  clock.advance(299_000);
  refused(passes, '192.0.2.1', 100);
  clock.advance(2_000);
  expect(refused(passes, '192.0.2.1', 10)).toBe(10);
  clock.advance(600_000);
  expect(refused(passes, '192.0.2.1', 100)).toBe(0);
});

test('goes on after the clock was set back', () => {
  const { passes, clock } = limitsOf();
  refused(passes, '192.0.2.1', 100);
  clock.advance(-86_400_000);
  expect(refused(passes, '192.0.2.1', 100)).toBe(0);
});

test('many addresses take no more memory, and lock out nobody who sends little', () => {
  const { passes } = limitsOf();
  // Twice what the service can store in five minutes.
  for (let count = 0; count < 200_000; count += 1) passes(`address ${count}`, 'POST', '/');
  const others = Array.from({ length: 1_000 }, (_, at) => refused(passes, `other ${at}`, 50));
  expect(others.filter((count) => count > 0)).toEqual([]);
});
