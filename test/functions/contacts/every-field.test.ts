import { SESv2Client } from '@aws-sdk/client-sesv2';
import { parse } from 'csv-parse/sync';
import { beforeEach, expect, it } from 'vitest';
import { fieldNames, parseContactFields } from '../../../functions/contacts/contact.ts';
import { notificationOf } from '../../../functions/notify/deliver.ts';
import { deliverByEmail } from '../../../functions/notify/email.ts';
import type { JsonPost } from '../../../functions/notify/post.ts';
import { deliverToSlack } from '../../../functions/notify/slack.ts';
import { deliverToWebhook } from '../../../functions/notify/webhook.ts';
import { lines, startStaff } from '../../staff/staff.ts';
import { type ContactsService, idIn, siteOrigin, startContacts } from '../../support/contacts.ts';
import { startFakeAws } from '../../support/fake-aws.ts';
import { noLimit } from '../../support/notifications.ts';

/** A different value for each field, of the first kind that its rule accepts. */
const everyField = Object.fromEntries(
  fieldNames.map((name, index) => {
    const fits = (value: string) => {
      const result = parseContactFields(new Map([[name, value]]), [], []);
      return result.success || result.faults.every(({ field }) => field !== name);
    };
    const value = [`Text of ${name}`, `555 010${index}`, `${name}@example.com`].find(fits);
    if (value === undefined) throw new Error(`No value here fits the field ${name}: add one.`);
    return [name, value];
  }),
);

const form = new URLSearchParams(everyField).toString();
const multipart = `${fieldNames
  .map((name) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${everyField[name]}\r\n`)
  .join('')}--edge--\r\n`;
const formType = 'application/x-www-form-urlencoded';

let contacts: ContactsService;
beforeEach(async () => {
  contacts = await startContacts();
});

/** Runs the staff command. */
const staffWrites = async (...args: string[]): Promise<string> => {
  const staff = await startStaff();
  const { code, stdout } = await staff.run(['contacts', ...args], { contacts: contacts.table });
  expect(code).toBe(0);
  return stdout;
};

const csv = { columns: true, bom: true };

it.each([
  ['JSON', 'application/json', JSON.stringify(everyField)],
  ['a form', formType, form],
  ['multipart', 'multipart/form-data; boundary=edge', Buffer.from(multipart)],
])('returns every field sent as %s, from every endpoint and from the staff command', async (_, contentType, body) => {
  const created = await contacts.create({ headers: { 'Content-Type': contentType }, body });
  expect(created.status).toBe(201);
  const id = idIn(created);
  const whole = { id, createdAt: '2026-03-01T12:00:00.000Z', ...everyField };
  expect(created.body).toStrictEqual(whole);
  expect((await contacts.get({ pathParameters: { id } })).body).toStrictEqual(whole);
  expect((await contacts.list()).body).toStrictEqual([whole]);
  const row = { ...whole, site: '', form: '', releasedAt: '', extra: '' };
  expect(parse((await contacts.list({ headers: { Accept: 'text/csv' } })).text, csv)).toStrictEqual([row]);
  expect(parse(await staffWrites('export'), csv)).toStrictEqual([row]);
  expect(lines(await staffWrites('export', '--format', 'jsonl')).map((line) => JSON.parse(line))).toStrictEqual([
    whole,
  ]);
});

it('notifies every kind of target of every field', async () => {
  const id = idIn(await contacts.post(everyField));
  const contact = await contacts.store.get(id, new Date('2026-03-01T12:00:00.000Z'));
  if (!contact) throw new Error('It is not there.');
  await using aws = await startFakeAws(() => ({ status: 200, body: {} }));
  const bodies: string[] = [];
  const post = async ({ body }: JsonPost) => {
    bodies.push(body);
  };
  const notification = notificationOf(contact);
  const email = {
    from: 'a@example.com',
    to: 'b@example.com',
    configurationSet: undefined,
    environment: 'test',
    subjects: new Map(),
  };
  await deliverByEmail(new SESv2Client({ endpoint: aws.url }), email, noLimit)(notification);
  await deliverToSlack(async () => 'https://hooks.example.com', 'test', new Map(), post)(notification);
  await deliverToWebhook(
    'https://hooks.example.com',
    async () => ['c2VjcmV0'],
    post,
    () => new Date(),
  )(notification);
  const delivered = [...bodies, JSON.stringify(aws.calls[0]?.input)];
  expect(delivered).toHaveLength(3);
  for (const body of delivered) for (const value of Object.values(everyField)) expect(body).toContain(value);
});

it('names every field at fault by its label on a page', async () => {
  const wrong = Object.fromEntries(fieldNames.map((name) => [name, 'x\u0007']));
  const { status, text } = await contacts.create({
    headers: { 'Content-Type': formType, Accept: 'text/html', Origin: siteOrigin },
    body: new URLSearchParams(wrong).toString(),
  });
  expect(status).toBe(400);
  const named = [...text.matchAll(/<dt>([^<]+)<\/dt>/g)].map(([, label]) => label);
  expect(new Set(named)).toHaveLength(fieldNames.length);
  expect(named.filter((label) => fieldNames.some((name) => name === label))).toStrictEqual([]);
});
