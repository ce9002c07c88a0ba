import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { components, paths } from './generated/openapi-typescript';

// Vitest has a BASE_URL of its own.
const { SERVICE_URL: baseUrl, STAFF_TOKEN: staffToken } = v.parse(
  v.object({ SERVICE_URL: v.string(), STAFF_TOKEN: v.string() }),
  process.env,
);

// Without the second argument a response is JSON or the text of another media type.
const visitor = createClient<paths, 'application/json'>({ baseUrl });
const staff = createClient<paths, 'application/json'>({ baseUrl, headers: { Authentication: staffToken } });

type ContactRequest = components['schemas']['ContactRequest'];

const create = async (body: components['schemas']['ContactRequestInput']): Promise<ContactRequest> => {
  const { data, error } = await visitor.POST('/api/v1/contact', { body });
  if (data === undefined) throw new Error(error.error);
  // Only this response has it.
  const { success: _, ...contact } = data;
  return contact;
};

test("sends an email address or a phone number, the form's name, and extra fields", async () => {
  const message = 'Zoë fragt: 你好 👋🏽\n\tשלום';
  const byEmail = await create({ email: 'ada@example.com', message });
  const email: string | undefined = byEmail.email;
  expect(email).toBe('ada@example.com');
  expect(byEmail.message).toBe(message);
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
    body: { email: 'ada@example.com', message: 'Hello!' },
    params: { header: { 'Idempotency-Key': randomUUID() } },
  };
  const first = await visitor.POST('/api/v1/contact', request);
  const again = await visitor.POST('/api/v1/contact', request);
  expect(again.data).toEqual(first.data);
  expect(again.response.headers.get('Idempotent-Replayed')).toBe('true');
});

test('has types for the error codes', async () => {
  const { error, response } = await visitor.POST('/api/v1/contact', { body: { email: 'nobody', message: ' ' } });
  expect(response.status).toBe(400);
  const code = error?.details?.[0]?.code;
  // @ts-expect-error there is no such code
  expect(code === 'no_such_code').toBe(false);
  expect(code === 'invalid_email').toBe(true);
  expect(error?.details?.map((error) => error.code)).toEqual(['invalid_email']);
});

test('follows the pages of a list', async () => {
  const sent = [
    await create({ email: 'ada@example.com', message: 'One' }),
    await create({ email: 'ada@example.com', message: 'Two' }),
  ];
  const read: ContactRequest[] = [];
  // As docs/scripts.md shows it.
  let query = `?order=asc&limit=1&since=${sent[0]?.createdAt}`;
  while (query) {
    const { data, error, response } = await staff.GET('/api/v1/contact', { querySerializer: () => query });
    if (error) throw new Error(error.error);
    read.push(...data);
    query = /<[^>?]*([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] ?? '';
  }
  expect(read).toEqual(sent);
});

test('fetches, changes and deletes a contact request', async () => {
  const contact = await create({ email: 'ada@example.com', message: 'Hello!' });
  const one = { params: { path: { id: contact.id } } };
  const fetched = await staff.GET('/api/v1/contact/{id}', one);
  expect(fetched.data).toEqual(contact);

  const answered = await staff.PATCH('/api/v1/contact/{id}', { ...one, body: { answered: true } });
  expect(answered.data).toEqual({ ...contact, answeredAt: expect.any(String), answeredBy: expect.any(String) });

  const deleted = await staff.DELETE('/api/v1/contact/{id}', one);
  expect([deleted.response.status, deleted.data, deleted.error]).toEqual([204, undefined, undefined]);
  const absent = await staff.DELETE('/api/v1/contact/{id}', one);
  expect([absent.response.status, absent.error]).toEqual([404, { error: 'Not Found' }]);
});

test('lists and fetches campaigns', async () => {
  const { data: campaigns } = await staff.GET('/v1/campaigns', { params: { query: { limit: 1 } } });
  const campaign = campaigns?.[0];
  if (campaign === undefined) throw new Error('There is no campaign.');
  const name: string = campaign.name;
  expect(name).not.toBe('');
  const fetched = await staff.GET('/v1/campaigns/{id}', { params: { path: { id: campaign.id } } });
  expect(fetched.data).toEqual(campaign);
});
