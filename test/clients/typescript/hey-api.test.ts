import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type ContactRequest,
  createContact,
  deleteContact,
  getCampaign,
  getContact,
  listCampaigns,
  listContacts,
  type NewContactRequest,
} from './generated/hey-api';
import { createClient } from './generated/hey-api/client';
import { baseUrl, cursorOf, staffToken } from './service';

const visitor = createClient({ baseUrl });
const staff = createClient({ baseUrl, auth: staffToken });

const create = async (body: NewContactRequest): Promise<ContactRequest> =>
  (await createContact({ client: visitor, body, throwOnError: true })).data;

test("sends an email address or a phone number, the form's name, and extra fields", async () => {
  const byEmail = await create({ email: 'ada@example.com', message: 'Hello!' });
  const email: string | undefined = byEmail.email;
  expect(email).toBe('ada@example.com');
  expect(byEmail.phone).toBeUndefined();

  expect((await create({ phone: '+1 555 0100', message: 'Hello!' })).phone).toBe('+1 555 0100');

  const further = { 'form-name': 'contact', topic: 'An order', copies: 3, gift: true, colours: ['red', 'blue'] };
  const { form, extra } = await create({ email: 'ada@example.com', message: 'Hello!', ...further });
  const formName: string | undefined = form;
  expect(formName).toBe('contact');
  const topic: string | string[] | undefined = extra?.['topic'];
  expect(topic).toBe('An order');
  expect(extra).toEqual({ topic: 'An order', copies: '3', gift: 'true', colours: ['red', 'blue'] });
});

test('sends an Idempotency-Key', async () => {
  const request = {
    client: visitor,
    body: { email: 'ada@example.com', message: 'Hello!' },
    headers: { 'Idempotency-Key': randomUUID() },
  };
  const first = await createContact(request);
  const again = await createContact(request);
  expect(again.data).toEqual(first.data);
  expect(again.response?.headers.get('Idempotent-Replayed')).toBe('true');
});

test('has types for the error codes', async () => {
  const { error, response } = await createContact({ client: visitor, body: { email: 'nobody', message: ' ' } });
  expect(response?.status).toBe(400);
  const code = error?.details?.[0]?.code;
  // @ts-expect-error there is no such code
  expect(code === 'no_such_code').toBe(false);
  expect(code === 'invalid_email').toBe(true);
  expect(error?.details?.map((fault) => fault.code)).toEqual(['invalid_email', 'required']);
});

test('follows the pages of a list', async () => {
  const sent = [
    await create({ email: 'ada@example.com', message: 'One' }),
    await create({ email: 'ada@example.com', message: 'Two' }),
  ];
  const query = { order: 'asc', since: sent[0]?.createdAt, spam: false, limit: 1 } as const;
  const read: ContactRequest[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await listContacts({ client: staff, query: { ...query, cursor }, throwOnError: true });
    read.push(...page.data);
    cursor = cursorOf(page.response);
  }
  expect(read).toEqual(sent);
});

test('fetches and deletes a contact request', async () => {
  const contact = await create({ email: 'ada@example.com', message: 'Hello!' });
  const path = { id: contact.id };
  const fetched = await getContact({ client: staff, path, throwOnError: true });
  expect(fetched.data).toEqual(contact);
  const unchanged = { 'If-None-Match': fetched.response.headers.get('ETag') ?? '' };
  expect((await getContact({ client: staff, path, headers: unchanged })).response?.status).toBe(304);

  const deleted = await deleteContact({ client: staff, path });
  expect([deleted.response?.status, deleted.error]).toEqual([204, undefined]);
  const absent = await deleteContact({ client: staff, path });
  expect([absent.response?.status, absent.error]).toEqual([404, { error: 'Not Found' }]);
});

test('lists and fetches campaigns', async () => {
  const { data: campaigns, response } = await listCampaigns({ client: staff, query: { limit: 1 }, throwOnError: true });
  expect(cursorOf(response)).toBeTypeOf('string');
  const [campaign] = campaigns;
  if (campaign === undefined) throw new Error('There is no campaign.');
  const name: string = campaign.name;
  expect(name).not.toBe('');
  const fetched = await getCampaign({ client: staff, path: { id: campaign.id } });
  expect(fetched.data).toEqual(campaign);
});
