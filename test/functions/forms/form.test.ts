import { describe, expect, it } from 'vitest';
import { formFields } from '../../../functions/names/words.ts';
import type { ApiResponse } from '../../support/call.ts';
import {
  type ContactsService,
  minimal,
  siteOrigin,
  siteWithThankYouPage,
  startContacts,
} from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

const newsletterPage = 'https://www.example.com/welcome';

/** A service with settings for two forms. */
const startForms = () =>
  startContacts(undefined, {
    forms: new Map([
      ['newsletter', { thankYouUrl: newsletterPage }],
      ['offer', {}],
    ]),
  });

type Fields = Readonly<Record<string, string>>;

/** Posts a plain form as a browser does. */
const submit = (contacts: ContactsService, fields: Fields, origin = siteOrigin): Promise<ApiResponse> =>
  contacts.create({
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', Origin: origin },
    body: new URLSearchParams(fields).toString(),
  });

describe("a form's name", () => {
  it.each([
    [{ 'form-name': ' sales ' }, 'sales'],
    [{ _form: 'Ame\u0301lie' }, 'Amélie'],
    [{ 'form-name': 'sales', _form: 'support' }, 'sales'],
    [{ 'form-name': ' ', _form: 'support' }, 'support'],
    [{ 'form-name': '🍰'.repeat(64) }, '🍰'.repeat(64)],
    [{ form: 'sales' }, undefined],
  ])('is read from %j as %j', async (fields, form) => {
    const contacts = await startContacts();
    const { body } = await contacts.post({ ...minimal, ...fields });
    const { success: _, extra, ...stored } = Object(body);
    expect(stored).toMatchObject({ ...minimal, ...(form !== undefined && { form }) });
    expect(extra).toEqual(form === undefined ? fields : undefined);
    expect((await contacts.get({ pathParameters: { id: stored.id } })).body).toEqual({ ...stored, extra });
  });

  it.each([
    ['form-name', 'a\u0007b', 'control_character', undefined],
    ['form-name', 'a\nb', 'control_character', undefined],
    ['_form', 'x'.repeat(65), 'too_long', 64],
    ['form-name', ['sales', 'sales'], 'not_text', undefined],
    ['_form', { name: 'sales' }, 'not_text', undefined],
  ])('is refused by the name of its field: %s %j', async (field, value, code, limit) => {
    const { status, text } = await (await startContacts()).post({ ...minimal, [field]: value });
    expect(status).toBe(400);
    expect(JSON.parse(text).details).toEqual([
      { field, code, message: expect.any(String), ...(limit !== undefined && { limit }) },
    ]);
  });

  it('tells identical contents of two forms apart', async () => {
    const contacts = await startContacts();
    const post = (form: string) => submit(contacts, { ...minimal, 'form-name': form });
    const [sales, support, again] = [await post('sales'), await post('support'), await post('sales')];
    expect(support.headers['Location']).not.toBe(sales.headers['Location']);
    expect(again.headers['Location']).toBe(sales.headers['Location']);

    const key = { 'Idempotency-Key': 'one' };
    await contacts.post({ ...minimal, 'form-name': 'sales' }, key);
    expect((await contacts.post({ ...minimal, 'form-name': 'support' }, key)).status).toBe(422);
  });
});

describe('the campaign that a form names', () => {
  const long = '🍰'.repeat(200);

  it.each([
    [{ campaign: ' Ame\u0301lie ' }, { campaign: 'Amélie' }],
    [{ campaign: long }, { campaign: long }],
    [{ Campaign_ID: '701000000000001' }, { campaign: '701000000000001' }],
    [{ utm_campaign: 'spring-sale' }, { campaign: 'spring-sale' }],
    [{ 'CAMPAIGN ID': 'one' }, { campaign: 'one' }],
    [{ UTMCampaign: 'one' }, { campaign: 'one' }],
    [{ 'fields[utm_campaign]': 'one' }, { campaign: 'one' }],
    [
      { utm_campaign: 'three', 'campaign-id': 'two', Campaign: 'one' },
      { campaign: 'one', extra: { utm_campaign: 'three', 'campaign-id': 'two' } },
    ],
    [
      { utm_campaign: 'two', Campaign_ID: 'one' },
      { campaign: 'one', extra: { utm_campaign: 'two' } },
    ],
    [{ campaign: ' ', utm_campaign: 'one' }, { campaign: 'one' }],
    [
      { campaign: 1, Campaign: 'one' },
      { campaign: 'one', extra: { campaign: '1' } },
    ],
    [{ campaign: `${long}x` }, { extra: { campaign: `${long}x` } }],
    [{ campaign: 'two\nlines' }, { extra: { campaign: 'two\nlines' } }],
    [{ campaign: ['one', 'two'] }, { extra: { campaign: ['one', 'two'] } }],
    [{ campaign_name: 'one', utm_source: 'mail' }, { extra: { campaign_name: 'one', utm_source: 'mail' } }],
  ])('is read from %j', async (sent, expected) => {
    const contacts = await startContacts();
    const { body } = await contacts.post({ ...minimal, ...sent });
    const { success: _, ...stored } = Object(body);
    expect(stored).toEqual({ id: stored.id, createdAt: stored.createdAt, ...minimal, ...expected });
    expect((await contacts.get({ pathParameters: { id: stored.id } })).body).toEqual(stored);
  });

  it('is kept where other fields are ignored, and not logged as one of them', async () => {
    const { post } = await startContacts(undefined, { extraFields: 'ignore' });
    expect((await post({ ...minimal, utm_campaign: 'spring-sale' })).body).toMatchObject({ campaign: 'spring-sale' });
    expect(logText()).not.toContain('fields ignored');
    const { body } = await post({ ...minimal, campaign: `${long}x` });
    expect(body).toStrictEqual({ ...minimal, id: expect.any(String), createdAt: expect.any(String), success: true });
  });

  it('meets a requirement under the name that was sent', async () => {
    const { post } = await startContacts(undefined, { required: ['utm_campaign'] });
    expect((await post({ ...minimal, utm_campaign: 'spring-sale' })).status).toBe(201);
    expect((await post({ ...minimal, campaign: 'spring-sale' })).status).toBe(400);
  });

  it('is a part of the content', async () => {
    const { post } = await startContacts();
    const postFrom = (campaign: string) => post({ ...minimal, campaign }, { 'Idempotency-Key': 'one' });
    const statuses = [await postFrom('spring-sale'), await postFrom('summer-sale'), await postFrom('spring-sale')];
    expect(statuses.map(({ status }) => status)).toEqual([201, 422, 201]);
  });
});

it('keeps a subject as an extra field', async () => {
  const subjects = { _subject: 'An offer', subject: 'Another' };
  expect((await (await startContacts()).post({ ...minimal, ...subjects })).body).toMatchObject({ extra: subjects });
});

it('neither keeps nor logs what is meant for spam defences or other services', async () => {
  const contacts = await startContacts();
  const secret = 'token-'.repeat(2000);
  for (const name of [...formFields.spam, ...formFields.otherServices]) {
    const { body } = await contacts.post({ ...minimal, [name]: secret });
    expect(body, name).toStrictEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      ...minimal,
      success: true,
    });
  }
  expect((await contacts.list({ query: [['spam', 'true']] })).body).toEqual([]);
  expect(logText()).not.toContain('token-');
});

describe('the success page that a form asks for', () => {
  const page = 'https://www.example.com/thanks';

  it.each([
    ['_next', page, page],
    ['_redirect', `${siteWithThankYouPage.origin}/a b?c=\u00e9`, `${siteWithThankYouPage.origin}/a%20b?c=%C3%A9`],
    ['redirect', ` ${page}\r\nSet-Cookie: a=b`, `${page}Set-Cookie:%20a=b`],
  ])('is taken from %s=%j, and not kept', async (name, url, location) => {
    const contacts = await startContacts();
    const response = await submit(contacts, { ...minimal, [name]: url });
    const headers = { Location: location, 'Cache-Control': 'no-store' };
    expect(response).toMatchObject({ status: 303, headers, text: '' });
    expect((await contacts.list()).body).toStrictEqual([expect.not.objectContaining({ extra: expect.anything() })]);
    expect(logText()).not.toContain('success page ignored');
  });

  it.each([
    'javascript:alert(1)',
    '//evil.example/thanks',
    '/thanks',
    'https://evil.example/thanks',
    'https://www.example.com.evil.example/',
    'https://www.example.com@evil.example/',
    'https://ada:secret@www.example.com/',
    'http://www.example.com/',
    'https://www.example.com:8443/',
    'blob:https://www.example.com/4711',
    'data:text/html,hello',
    'thanks',
  ])('is a field like any other if it is %s', async (url) => {
    const contacts = await startContacts();
    const { status, headers } = await submit(contacts, { ...minimal, _next: url });
    expect(status).toBe(201);
    expect(headers['Location']).toMatch(/\/api\/v1\/contact\/[0-9a-f-]{36}$/);
    expect((await contacts.list()).body).toMatchObject([{ extra: { _next: url } }]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'success page ignored', site: siteOrigin }),
    );
    expect(logText()).not.toContain(url);
  });

  it('is a field like any other if it is too long once it is percent-encoded', async () => {
    const { status } = await submit(await startContacts(), { ...minimal, _next: `${page}?${'\u5b57'.repeat(1000)}` });
    expect(status).toBe(201);
  });

  it('is ignored without an Origin, too', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
    const body = new URLSearchParams({ ...minimal, _next: 'thanks' }).toString();
    expect((await (await startContacts()).create({ headers, body })).status).toBe(201);
  });

  it('is refused if it is too long', async () => {
    const { status, text } = await submit(await startContacts(), {
      ...minimal,
      _next: `${page}?${'x'.repeat(10_000)}`,
    });
    expect(status).toBe(400);
    expect(text).toContain('<dt dir="auto">_next</dt>');
  });

  it('is not kept from a script, which gets no page', async () => {
    const { status, body } = await (await startContacts()).post({ ...minimal, _next: page });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('extra');
  });

  it.each([
    [{ _next: page, 'form-name': 'newsletter' }, page],
    [{ _next: '', _redirect: page }, page],
    [{ _next: 'thanks', redirect: page }, page],
    [{ 'form-name': 'newsletter' }, newsletterPage],
    [{ _next: 'thanks', 'form-name': 'newsletter' }, newsletterPage],
    [{ 'form-name': 'offer' }, siteWithThankYouPage.thankYouUrl],
  ])('of %j comes before that of the form, and that before that of the site: %s', async (fields, location) => {
    const sent: Fields = { ...minimal, ...fields };
    const { headers } = await submit(await startForms(), sent, siteWithThankYouPage.origin);
    expect(headers['Location']).toBe(location);
  });
});
