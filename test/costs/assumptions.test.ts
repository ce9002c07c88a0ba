import * as v from 'valibot';
import { expect, it, onTestFinished } from 'vitest';
import { assumptions } from '../../lib/costs/estimate.ts';
import type { Answer } from '../support/call.ts';
import { siteOrigin, startContacts } from '../support/contacts.ts';
import { logText } from '../support/log.ts';
import { startNotified } from '../support/notifications.ts';
import { client } from '../support/tables.ts';

const typical = {
  email: 'grace.hopper@example.com',
  phone: '+1 202 555 0142',
  company: 'Example Shipping Ltd',
  message: 'x'.repeat(400),
  firstName: 'Grace',
  lastName: 'Hopper',
};

const putInput = v.object({ Item: v.record(v.string(), v.string()) });

/** The sum of names and values: docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const itemSize = (item: Readonly<Record<string, string>>) => Buffer.byteLength(Object.entries(item).flat().join(''));

const answerSize = ({ headers, text }: Answer) =>
  Buffer.byteLength(
    `${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${text}`,
  );

/** What an assumption allows for: no less than was measured, and little more. */
const expectFair = (assumed: number, measured: number) => {
  expect(measured).toBeLessThanOrEqual(assumed);
  expect(measured).toBeGreaterThan(0.85 * assumed);
};

const now = () => new Date('2026-03-01T12:00:00.000Z');

const json = { 'Content-Type': 'application/json' };

/** Posts a contact request, the typical one if no other is given. */
const post = async (type: Readonly<Record<string, string>> = json, body = JSON.stringify(typical)) => {
  const service = await startContacts(now);
  return { service, answer: await service.create({ headers: { ...type, Origin: siteOrigin }, body }) };
};

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Each field as long as it may be, and further ones up to their bound, in characters that take most room, a pair each. */
const largest = [
  `email=${'a'.repeat(64)}@${'b'.repeat(59)}.${'c'.repeat(59)}.${'d'.repeat(57)}.example.com`,
  `phone=${'1'.repeat(32)}`,
  `company=${'😀'.repeat(200)}`,
  `message=${'😀'.repeat(5_000)}`,
  `firstName=${'😀'.repeat(100)}`,
  `lastName=${'😀'.repeat(100)}`,
  ...Array(4_980).fill('a="'),
  ...['b', 'c', 'd', 'e', 'f'].map((name) => `${name}=${'"'.repeat(2_000)}`),
  `g=${'"'.repeat(16 * 1024 - 4_981 - 5 * 2_001 - 1)}`,
].join('&');

it.each([
  ['a', assumptions.itemBytes.value, json, JSON.stringify(typical)],
  ['the largest', assumptions.largestItemBytes.value, form, largest],
])('assumes the size of %s stored contact request', async (_, assumed, type, body) => {
  const sizes: number[] = [];
  const name = 'measure';
  client.middlewareStack.add(
    (next) => (args) => {
      const put = v.safeParse(putInput, args.input);
      if (put.success) sizes.push(itemSize(put.output.Item));
      return next(args);
    },
    { step: 'initialize', name },
  );
  onTestFinished(() => {
    client.middlewareStack.remove(name);
  });
  const { answer } = await post(type, body);
  expect(answer.status).toBe(201);
  expect(sizes).toHaveLength(1);
  expectFair(assumed, sizes[0] ?? 0);
});

it('assumes the lines that a create writes to the log', async () => {
  await post();
  expect(logText()).toBe('');
  expectFair(assumptions.createLogBytes.value, 205 + 26);
});

it('assumes the lines that telling a target writes to the log', async () => {
  const { posted, deliver } = await startNotified({ tell: () => async () => {}, now });
  const { record } = await posted(typical);
  const before = logText().length;
  await deliver(record);
  const [lines, each] = [1, 26];
  expectFair(assumptions.notifyLogBytes.value, logText().length - before + lines * each);
});

it('assumes what goes out to a visitor', async () => {
  const { answer } = await post();
  expect(answer.status).toBe(201);
  expectFair(assumptions.createEgressBytes.value, answerSize(answer) + 250);
});

it('assumes what a page of the list holds', async () => {
  const { service } = await post();
  const { text } = await service.list();
  expectFair(assumptions.listEgressBytes.value, 50 * text.length);
});
